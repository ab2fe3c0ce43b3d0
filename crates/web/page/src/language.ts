// Colours for TLA+, Alloy and TLC configurations in the editor. Only the words; meaning is the server's business.

import { HighlightStyle, type StreamParser, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

interface State {
  depth: number;
}

const TLA = new Set(
  (
    "ACTION ASSUME ASSUMPTION AXIOM BY CASE CHOOSE CONSTANT CONSTANTS COROLLARY DEF DEFINE DEFS DOMAIN ELSE ENABLED EXCEPT EXTENDS HAVE HIDE IF IN " +
    "INSTANCE LAMBDA LEMMA LET LOCAL MODULE NEW OBVIOUS OMITTED OTHER PICK PROOF PROPOSITION PROVE QED RECURSIVE SF_ STATE SUBSET SUFFICES " +
    "TAKE TEMPORAL THEN THEOREM UNCHANGED UNION USE VARIABLE VARIABLES WF_ WITH WITNESS " +
    "INIT NEXT SPECIFICATION INVARIANT INVARIANTS PROPERTY PROPERTIES CONSTRAINT CONSTRAINTS SYMMETRY VIEW ALIAS CHECK_DEADLOCK POSTCONDITION"
  ).split(" "),
);
const ATOMS = new Set(["TRUE", "FALSE", "BOOLEAN", "STRING", "Nat", "Int", "Real"]);
const ALLOY = new Set(
  (
    "abstract after all always and as assert before but check disj disjoint else enum eventually exactly exh exhaustive expect extends fact for " +
    "fun historically iden iff implies in Int let lone module no none not once one open or part partition pred private releases run seq set sig " +
    "since some steps sum this triggered univ until var"
  ).split(" "),
);

const tla: StreamParser<State> = {
  name: "tla",
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (state.depth > 0) return comment(stream, state, "(*", "*)");
    if (stream.match("(*")) {
      state.depth = 1;
      return comment(stream, state, "(*", "*)");
    }
    if (stream.match("\\*")) return stream.skipToEnd(), "comment";
    if (stream.match(/^(-{4,}|={4,})/)) return "meta";
    if (stream.match(/^"([^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^\d+/)) return "number";
    if (stream.match(/^(WF|SF)_/)) return "keyword";
    const word = stream.match(/^[A-Za-z_][A-Za-z0-9_]*!?/) as RegExpMatchArray | null;
    if (word) {
      if (TLA.has(word[0])) return "keyword";
      if (ATOMS.has(word[0])) return "atom";
      return stream.match(/^\s*(\([^()]*\)|\[[^\][]*\])?\s*==/, false) ? "def" : "variableName";
    }
    if (stream.match(/^\\[A-Za-z]+/) || stream.match(/^(\/\\|\\\/|==|=>|<=>|~>|\[\]|<>|\|->|->|<<|>>|@@|:>|[-+*\/=#<>~'^&|:.%?@!$])/)) return "operator";
    stream.next();
    return null;
  },
};

const alloy: StreamParser<State> = {
  name: "alloy",
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (state.depth > 0) return comment(stream, state, "", "*/");
    if (stream.match("/*")) {
      state.depth = 1;
      return comment(stream, state, "", "*/");
    }
    if (stream.match("//") || stream.match("--")) return stream.skipToEnd(), "comment";
    if (stream.sol() && stream.match(/^(#+ .*|```.*)/)) return "meta";
    if (stream.match(/^"([^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^\d+/)) return "number";
    const word = stream.match(/^[A-Za-z_][A-Za-z0-9_']*/) as RegExpMatchArray | null;
    if (word) return ALLOY.has(word[0]) ? "keyword" : "variableName";
    if (stream.match(/^(->|=>|<=>|\+\+|<:|:>|!=|[-+&.^*~#=<>!|:])/)) return "operator";
    stream.next();
    return null;
  },
};

function comment(stream: { next(): string | void; match(it: string): unknown; eol(): boolean }, state: State, open: string, close: string): string {
  while (!stream.eol()) {
    if (stream.match(close)) {
      state.depth -= 1;
      if (state.depth === 0) break;
    } else if (open && stream.match(open)) state.depth += 1;
    else stream.next();
  }
  return "comment";
}

const style = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.number, class: "tok-number" },
  { tag: tags.atom, class: "tok-number" },
  { tag: tags.definition(tags.variableName), class: "tok-def" },
  { tag: tags.operator, class: "tok-operator" },
  { tag: tags.meta, class: "tok-meta" },
]);

export function language(file: string) {
  const parser = /\.(tla|cfg)$/.test(file) ? tla : alloy;
  return [StreamLanguage.define(parser), syntaxHighlighting(style)];
}
