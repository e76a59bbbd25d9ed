//! Geometry of the pictures in the HTML report: numbers in, SVG coordinates out. The templates write the markup.

use jiff::Timestamp;

use super::model::{Report, Series, Sizing};
use super::words::{mebibytes, quantity, utc};

/// The drawing area of a series, in SVG units; levels are labelled in the margin at its right.
pub(super) const WIDTH: f64 = 640.0;
pub(super) const HEIGHT: f64 = 180.0;
/// More samples than this are thinned; the highest of each bucket stays, so that no peak is lost.
const SAMPLES: usize = 400;

/// One series, drawn.
pub(super) struct Chart<'a> {
    pub series: &'a Series,
    /// `points` of an SVG polyline.
    pub line: String,
    pub levels: Vec<Level<'a>>,
    pub top: String,
    pub from: String,
    pub to: String,
    /// The first, highest and last value in words, for those who do not see the picture.
    pub told: String,
}

/// A level drawn across a chart.
pub(super) struct Level<'a> {
    pub name: &'a str,
    pub value: String,
    pub y: String,
}

/// All series that have at least two samples with a readable time and a finite value.
pub(super) fn charts(report: &Report) -> Vec<Chart<'_>> {
    report.series.iter().filter_map(chart).collect()
}

fn chart(series: &Series) -> Option<Chart<'_>> {
    let samples: Vec<(f64, f64, &str)> = series
        .points
        .iter()
        .filter(|p| p.value.is_finite())
        .filter_map(|p| Some((p.at.parse::<Timestamp>().ok()?.as_millisecond() as f64, p.value, p.at.as_str())))
        .collect();
    let (first, last) = (samples.first().filter(|_| samples.len() > 1)?, samples.last()?);
    let highest = samples.iter().fold(first, |best, s| if s.1 > best.1 { s } else { best });
    let levels = series.lines.iter().filter(|l| l.value.is_finite());
    let top = levels.clone().map(|l| l.value).fold(highest.1, f64::max).max(f64::MIN_POSITIVE);
    let y = |value: f64| coordinate(HEIGHT - HEIGHT * (value / top).clamp(0.0, 1.0));
    let span = (last.0 - first.0).max(1.0);
    let bucket = samples.len().div_ceil(SAMPLES);
    let line: Vec<String> = samples
        .chunks(bucket)
        .filter_map(|chunk| chunk.iter().copied().reduce(|best, s| if s.1 > best.1 { s } else { best }))
        .map(|(at, value, _)| format!("{},{}", coordinate(WIDTH * ((at - first.0) / span).clamp(0.0, 1.0)), y(value)))
        .collect();
    let told = |s: &(f64, f64, &str)| format!("{} at {}", quantity(s.1, &series.unit), utc(s.2));
    Some(Chart {
        series,
        line: line.join(" "),
        levels: levels
            .map(|l| Level { name: &l.name, value: quantity(l.value, &series.unit), y: y(l.value) })
            .collect(),
        top: quantity(top, &series.unit),
        from: utc(first.2),
        to: utc(last.2),
        told: format!("first {}, highest {}, last {}", told(first), told(highest), told(last)),
    })
}

/// One bar of the memory picture.
pub(super) struct Bar {
    pub name: &'static str,
    pub value: String,
    /// Length, of [`WIDTH`].
    pub width: String,
    /// Name of its style.
    pub class: &'static str,
}

/// Measured memory, the estimated peak, the limit and what it should be, on one scale.
pub(super) fn bars(sizing: &Sizing) -> Vec<Bar> {
    let rows = [
        ("working set, measured", sizing.measured_working_set_bytes, "measured"),
        ("resident memory, measured", sizing.measured_rss_bytes, "measured"),
        ("peak of a re-list, low estimate", sizing.peak_low_bytes, "peak"),
        ("peak of a re-list, high estimate", sizing.peak_high_bytes, "peak"),
        ("limit now", sizing.limit_bytes, "limit"),
        ("limit recommended", sizing.recommended_limit_bytes, "wanted"),
    ];
    let top = rows.iter().filter_map(|row| row.1).max().unwrap_or(0).max(1) as f64;
    rows.iter()
        .filter_map(|&(name, bytes, class)| {
            let bytes = bytes?;
            Some(Bar { name, value: mebibytes(bytes), width: coordinate(WIDTH * bytes as f64 / top), class })
        })
        .collect()
}

fn coordinate(value: f64) -> String {
    format!("{value:.1}")
}

#[cfg(test)]
mod tests {
    use super::super::model::{Point, ReferenceLine};
    use super::*;

    fn series(values: &[(&str, f64)]) -> Series {
        Series {
            name: "rss".into(),
            unit: "bytes".into(),
            subject: "pod/kube-system/coredns".into(),
            points: values.iter().map(|(at, value)| Point { at: (*at).into(), value: *value }).collect(),
            source: "top.txt".into(),
            lines: vec![ReferenceLine { name: "limit".into(), value: 4_194_304.0 }],
        }
    }

    #[test]
    fn a_series_fills_its_frame() {
        let series = series(&[("2026-03-04T08:00:00Z", 0.0), ("2026-03-04T09:00:00Z", 2_097_152.0)]);
        let chart = chart(&series).unwrap();
        assert_eq!(chart.line, "0.0,180.0 640.0,90.0");
        assert_eq!((chart.levels[0].y.as_str(), chart.top.as_str()), ("0.0", "4Mi"));
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        assert!(chart(&series(&[])).is_none());
        assert!(chart(&series(&[("2026-03-04T08:00:00Z", 1.0), ("yesterday", 2.0)])).is_none());
        assert!(chart(&series(&[("2026-03-04T08:00:00Z", f64::NAN), ("2026-03-04T08:00:01Z", 2.0)])).is_none());
    }

    #[test]
    fn thinning_keeps_the_peak() {
        let mut series = series(&[]);
        series.lines.clear();
        series.points = (0..5000)
            .map(|i| Point {
                at: Timestamp::from_second(i).unwrap().to_string(),
                value: if i == 2501 { 9.0 } else { 1.0 },
            })
            .collect();
        let line = chart(&series).unwrap().line;
        assert!(line.split(' ').count() <= SAMPLES);
        assert_eq!(line.matches(",0.0").count(), 1);
    }
}
