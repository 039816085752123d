import { describe, expect, it } from 'vitest'
import { renderChart } from '../../src/report/charts/render-chart.ts'
import { reportSections } from '../../src/report/report-sections.ts'
import type { Chart } from '../../src/report/section.ts'
import { ARMS, fixtureReport } from './fixture-report.ts'

const charts = reportSections(fixtureReport).flatMap(({ chart }) => (chart === undefined ? [] : [chart]))
const chartOf = (name: string): Chart => {
  const chart = charts.find((each) => each.name === name)
  if (chart === undefined) throw new Error(`no chart ${name}`)
  return chart
}

describe('charts', () => {
  it('has a picture for each question', () => {
    expect(charts.map(({ name }) => name)).toEqual([
      'recall',
      'position',
      'after-compaction',
      'updates',
      'recall-against-cost',
      'growth',
    ])
  })

  it.each(charts.map((chart) => [chart.name, chart] as const))(
    '%s: the same bytes twice, on paper of its own, with nothing to load or to run',
    (_, chart) => {
      const svg = renderChart(chart)
      expect(renderChart(chart)).toBe(svg)
      expect(svg).toMatch(/^<svg role="img" aria-label="[^"]+"/)
      expect(svg).toContain('fill="#ffffff"')
      expect(svg).not.toMatch(/ class="|zr\d|<script|<style| href=|url\((?!#)|NaN|undefined/)
    },
  )

  it.each(['recall', 'position', 'after-compaction', 'updates', 'recall-against-cost'])(
    '%s: names every arm',
    (name) => {
      const svg = renderChart(chartOf(name))
      for (const arm of ARMS) expect(svg).toContain(`>${arm.name}</text>`)
    },
  )

  it('draws the figures of the tables', () => {
    const held = [0, 1, 0.1, 0.6, 0.7, 0.2]
    expect(chartOf('recall').option).toMatchObject({
      xAxis: { name: expect.stringContaining('share') },
      yAxis: { data: ARMS.map(({ name }) => name) },
      series: [{ name: '8,000 tokens', data: held }, { name: '16,000 tokens', data: held }, {}, {}],
    })
    expect(chartOf('after-compaction').option).toMatchObject({
      series: [{ data: held }, { name: 'raw tail, at most as large', data: held.map(() => 0.25) }, {}, {}],
    })
    expect(chartOf('recall-against-cost').option).toMatchObject({
      xAxis: { name: expect.stringContaining('US dollars') },
      series: expect.arrayContaining([
        expect.objectContaining({
          name: 'lcm',
          data: [
            [2.1, 0.6],
            [2.1, 0.6],
          ],
        }),
      ]),
    })
    expect(chartOf('growth').option).toMatchObject({
      xAxis: { type: 'log' },
      yAxis: { type: 'log' },
      series: [
        {
          name: 'a turn',
          data: [
            [1_000, 1],
            [100_000, 1.5],
          ],
        },
        {
          data: [
            [1_000, 1],
            [100_000, 100],
          ],
        },
      ],
    })
  })

  it('tells peers from engines by more than a colour', () => {
    const { option } = chartOf('recall-against-cost')
    expect(option.series).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'lcm', symbol: 'circle' }),
        expect.objectContaining({ name: 'Cutter', symbol: 'emptyCircle' }),
      ]),
    )
  })
})
