'use strict';
(() => {
  const numbers = JSON.parse(document.getElementById('numbers').textContent);
  const sections = new Map(numbers.sections.map((section) => [section.id, section]));
  // Okabe and Ito's colours, which people with any kind of colour vision can tell apart; yellow is too pale on white.
  const light = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#9a6a00', '#56b4e9', '#1b1f24'];
  const dark = ['#56b4e9', '#ff8a3d', '#00c08b', '#e29bc4', '#f0c040', '#8fb8de', '#e6e8eb'];
  const marks = ['circle', 'triangle', 'rect', 'rectRot', 'star', 'crossRot', 'cross'];
  const scheme = window.matchMedia('(prefers-color-scheme: dark)');
  const charts = [];

  const whiskers = {
    id: 'whiskers',
    afterDatasetsDraw(chart) {
      const { ctx, scales } = chart;
      chart.data.datasets.forEach((dataset, at) => {
        const meta = chart.getDatasetMeta(at);
        if (meta.hidden) return;
        ctx.save();
        ctx.strokeStyle = dataset.borderColor;
        dataset.data.forEach((point, i) => {
          if (point.low == null || point.high == null || !meta.data[i]) return;
          const x = meta.data[i].x;
          const top = scales.y.getPixelForValue(point.high);
          const bottom = scales.y.getPixelForValue(point.low);
          ctx.beginPath();
          ctx.moveTo(x, top);
          ctx.lineTo(x, bottom);
          ctx.moveTo(x - 4, top);
          ctx.lineTo(x + 4, top);
          ctx.moveTo(x - 4, bottom);
          ctx.lineTo(x + 4, bottom);
          ctx.stroke();
        });
        ctx.restore();
      });
    },
  };

  function seriesOf(panel) {
    const { chart, columns, rows } = panel;
    const title = new Map(columns.map((column) => [column.key, column.title]));
    const points = (chosen, y) =>
      chosen.map((row) => ({ x: row[chart.x], y: row[y], low: row[y + 'Low'], high: row[y + 'High'] }));
    if (!chart.by) return chart.y.map((y) => ({ label: title.get(y), data: points(rows, y) }));
    const groups = new Map();
    rows.forEach((row) => groups.set(row[chart.by], [...(groups.get(row[chart.by]) ?? []), row]));
    return [...groups].map(([name, chosen]) => ({ label: String(name), data: points(chosen, chart.y[0]) }));
  }

  function config(panel) {
    const palette = scheme.matches ? dark : light;
    const style = getComputedStyle(document.documentElement);
    const text = style.getPropertyValue('--text').trim();
    const line = style.getPropertyValue('--line').trim();
    const { chart, rows } = panel;
    const words = rows.some((row) => typeof row[chart.x] === 'string') || chart.kind === 'bar';
    const datasets = seriesOf(panel).map((series, i) => ({
      ...series,
      borderColor: palette[i % palette.length],
      backgroundColor: palette[i % palette.length] + (chart.kind === 'scatter' && rows.length > 100 ? '66' : 'cc'),
      pointStyle: marks[i % marks.length],
      pointRadius: rows.length > 100 ? 2 : 4,
      borderWidth: chart.kind === 'bar' ? 0 : 2,
      showLine: chart.kind === 'line',
      spanGaps: false,
      tension: 0,
    }));
    const title = (value) => ({ display: true, text: value, color: text });
    return {
      type: chart.kind,
      data: words ? { labels: [...new Set(rows.map((row) => row[chart.x]))], datasets } : { datasets },
      options: {
        animation: false,
        maintainAspectRatio: false,
        scales: {
          x: {
            type: words ? 'category' : 'linear',
            title: title(chart.xTitle),
            ticks: { color: text, autoSkip: false, maxRotation: 60 },
            grid: { color: line },
          },
          y: {
            type: /logarithmic/.test(chart.yTitle) ? 'logarithmic' : 'linear', title: title(chart.yTitle), ticks: { color: text }, grid: { color: line } },
        },
        plugins: {
          legend: { display: datasets.length > 1, labels: { color: text, usePointStyle: chart.kind !== 'bar' } },
        },
      },
      plugins: [whiskers],
    };
  }

  function draw() {
    charts.splice(0).forEach((chart) => chart.destroy());
    document.querySelectorAll('canvas[data-section]').forEach((canvas) => {
      const panel = sections.get(canvas.dataset.section).panels[Number(canvas.dataset.panel)];
      charts.push(new Chart(canvas, config(panel)));
    });
  }

  scheme.addEventListener('change', draw);
  draw();
})();
