import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ARMS } from '../arms/arms.ts'
import { createJudgeModels, type JudgeModels } from '../judge/judge-models.ts'
import { findShortage } from '../lcm/disk-space.ts'
import { createProgress } from '../progress.ts'
import type { BenchReport } from '../report/bench-report.ts'
import { describeMachine } from '../report/machine.ts'
import { renderHtml } from '../report/render-html.ts'
import { renderTerminal } from '../report/render-terminal.ts'
import { closingSections, partSections, reportSections } from '../report/report-sections.ts'
import { aboutSections } from '../report/sections/about-sections.ts'
import { summarySection } from '../report/sections/summary-section.ts'
import { readVersions } from '../report/versions.ts'
import { writeReport } from '../report/write-report.ts'
import { SPEED_SIZES } from '../speed/run-full-speed.ts'
import { type BenchOptions, PARTS, type Part } from './bench-options.ts'
import { checkOutputs } from './check-outputs.ts'
import { chooseArms } from './choose-arms.ts'
import { openSessions } from './open-sessions.ts'
import type { Measured, PartInput } from './part.ts'
import type { Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'
import { writeJson } from './write-json.ts'

export interface BenchRun {
  /** Default: all, one after the other. */
  readonly part: Part | undefined
  readonly options: BenchOptions
  /** What makes the report again. */
  readonly command: string
  readonly surroundings: Surroundings
  readonly measure: (input: PartInput) => Promise<Measured>
}

/** Where the bundled session lies, seen from the bench's folder. */
const BUNDLED = '../palimpsest/sessions'

/** Measures, shows each part when it is done, and writes the results. */
export async function runBench({ part, options, command, surroundings, measure }: BenchRun): Promise<void> {
  const { root, stdout, stderr, env, now } = surroundings
  const { json, html, report: page, messages: sizes = SPEED_SIZES, seed, seeds } = options
  const parts = part === undefined ? PARTS : [part]
  checkOutputs({ '--json': json, '--html': html, '--report': page })
  const arms = chooseArms(ARMS, options.engines)
  const models = options.judge ? judgeModels(createJudgeModels(env)) : undefined
  if (parts.includes('speed')) await checkDisk(sizes)
  const folder = options.data ?? fileURLToPath(new URL(BUNDLED, root))
  const data = await openSessions(folder)
  const progress = createProgress(stderr)

  const setting: BenchReport = {
    command,
    machine: describeMachine(),
    date: now().toISOString().slice(0, 10),
    versions: await readVersions(root),
    arms: arms.map(({ name, kind, description }) => ({ name, kind, description })),
    seeds: { dialogues: seeds, conversations: seed },
    times: {},
  }
  stdout.write(`${renderTerminal(aboutSections(setting))}\n`)

  let report = setting
  for (const each of parts) {
    const figures = await measure({
      part: each,
      options,
      sizes,
      arms,
      data,
      folder,
      models,
      progress,
    })
    report = { ...report, ...figures, times: { ...report.times, ...figures.times } }
    stdout.write(`${renderTerminal(partSections({ ...setting, ...figures }))}\n`)
    // Also between the parts: what fails later costs nothing that was measured before.
    await writeJson(json, report)
  }
  stdout.write(renderTerminal([...summarySection(report), ...closingSections(report)]))
  const sections = reportSections(report)
  if (html !== undefined) await writeFile(html, renderHtml(sections))
  if (page !== undefined) await writeReport(page, sections)
}

function judgeModels(models: JudgeModels | undefined): JudgeModels {
  if (models !== undefined) return models
  throw new UsageError('--judge: there is no key; set GEMINI_API_KEY, or leave --judge out')
}

async function checkDisk(sizes: readonly number[]): Promise<void> {
  const shortage = await findShortage(tmpdir(), Math.max(...sizes))
  if (shortage !== undefined) throw new UsageError(shortage)
}
