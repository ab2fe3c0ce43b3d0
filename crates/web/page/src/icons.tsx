// Small drawings on buttons: no font has all of them.

const SHAPES = {
  first: "M5 4v12M16 4L8 10l8 6z",
  back: "M14 4L6 10l8 6z",
  play: "M6 3.5v13L17 10z",
  pause: "M6 4h3v12H6zM11.5 4h3v12h-3z",
  forward: "M6 4l8 6-8 6z",
  last: "M15 4v12M4 4l8 6-8 6z",
  sun: "M10 6.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6L16 16M16 4l-1.4 1.4M5.4 14.6L4 16",
  moon: "M15.8 12.6A6.6 6.6 0 0 1 7.4 4.2a6.6 6.6 0 1 0 8.4 8.4z",
  whole: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
};

export function Icon({ of }: { of: keyof typeof SHAPES }) {
  return (
    <svg class={`drawn-icon ${of}`} viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d={SHAPES[of]} />
    </svg>
  );
}
