import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { renderChart } from './charts/render-chart.ts'
import { renderMarkdown } from './render-markdown.ts'
import type { Section } from './section.ts'

/** Writes the page, and its pictures into a folder of the same name beside it. */
export async function writeReport(file: string, sections: readonly Section[]): Promise<void> {
  const folder = parse(file).name
  const pictures = join(dirname(file), folder)
  await mkdir(pictures, { recursive: true })
  for (const { chart } of sections)
    if (chart !== undefined) await writeFile(join(pictures, `${chart.name}.svg`), renderChart(chart))
  await writeFile(file, renderMarkdown(sections, folder))
}
