//! A table that is printed row by row, as the runs end, and that Markdown reads as a table too.

pub struct Table {
    widths: Vec<usize>,
}

impl Table {
    /// Prints the head. The first column is aligned to the left, the others to the right.
    pub fn new(columns: &[(&str, usize)]) -> Table {
        let table = Table {
            widths: columns.iter().map(|it| it.1).collect(),
        };
        let names: Vec<String> = columns.iter().map(|it| it.0.to_string()).collect();
        println!("{}", table.line(&names));
        println!("{}", table.rule());
        table
    }

    /// `remark` stands behind the row, where Markdown does not look.
    pub fn row(&self, cells: &[String], remark: &str) {
        println!(
            "{}{}{remark}",
            self.line(cells),
            if remark.is_empty() { "" } else { " " }
        );
    }

    fn line(&self, cells: &[String]) -> String {
        let mut line = String::from("|");
        for (i, (cell, &width)) in cells.iter().zip(&self.widths).enumerate() {
            line += &match i {
                0 => format!(" {cell:<width$} |"),
                _ => format!(" {cell:>width$} |"),
            };
        }
        line
    }

    fn rule(&self) -> String {
        let mut line = String::from("|");
        for (i, &width) in self.widths.iter().enumerate() {
            line += &"-".repeat(width + 1);
            line += if i == 0 { "-|" } else { ":|" };
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_stand_below_each_other() {
        let table = Table { widths: vec![6, 5] };
        let cells = ["Bakery".to_string(), "14.5".to_string()];
        assert_eq!(table.line(&cells), "| Bakery |  14.5 |");
        assert_eq!(table.rule(), "|--------|------:|");
    }
}
