import { pathToFileURL } from 'node:url'
import { redactSecrets } from '@palimpsest/core'
import type { Config } from '@palimpsest/core/discovery'
import { embedViews, readPageTemplate, type SessionView } from '@palimpsest/inspector'
import { readTranscript, type Transcript } from '@palimpsest/transcripts'
import { billPrices } from '../bill/bill-prices.ts'
import { type ChosenEngine, chooseEngine, type EngineFlags } from '../engines/choose-engine.ts'
import type { Configuration } from '../engines/configuration.ts'
import type { SummaryChoiceInput } from '../models/choose-summary-model.ts'
import { findExtractionModel, findSummaryModel } from '../models/find-summary-model.ts'
import { readModelName } from '../models/model-access.ts'
import { type OutputFile, openOutput, writeOutput } from '../output-files.ts'
import { withProgress } from '../progress.ts'
import { EXIT_FOUND, EXIT_USAGE, firstLine } from '../report-failure.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { RECORDED_AT, RECORDED_ENGINE, RECORDED_WINDOW, type Recording } from './read-recording.ts'
import { type ComparedReplay, renderReport } from './render-report.ts'
import { replayCommand } from './replay-command.ts'
import { type ReplayTask, replayEngine } from './replay-engine.ts'
import type { Replay } from './replay-session.ts'
import { openReplayStore, type ReplayStore, replayPlace } from './replay-store.ts'

export interface ReplayFlags extends EngineFlags {
  readonly provider?: string
  readonly store?: string
  readonly session?: string
  readonly window: number
  readonly model?: string
  readonly baseUrl?: string
  readonly json?: boolean
  readonly config?: string
  readonly html?: string
  readonly redact?: boolean
  readonly force?: boolean
  readonly compare?: string
}

const PAGE_MARK = '<title>Palimpsest'

export async function runReplay(
  file: string,
  configuration: Configuration,
  flags: ReplayFlags,
  recording?: Recording,
): Promise<number> {
  const { config } = configuration
  const engine = await chooseEngine(configuration, flags)
  const chosen = await findSummaryModel(summaryChoice(flags, config))
  const isRecorded =
    recording !== undefined &&
    chosen.model === undefined &&
    engine.definition.name === RECORDED_ENGINE &&
    flags.window === RECORDED_WINDOW &&
    flags.threshold === undefined
  const summaryModel = isRecorded ? { description: recording.description, notices: [] } : chosen
  const { extraction: block } = config.auxiliary
  const reading = await findExtractionModel({ block, main: undefined, environment: process.env })
  for (const notice of [...summaryModel.notices, ...(reading?.notices ?? [])])
    process.stderr.write(`${notice}\n`)

  // A wrong flag is reported before a long file is read.
  if (flags.compare !== undefined && flags.html === undefined)
    throw new UsageError('--compare shows engines side by side on the page: name its file with --html')
  if (flags.redact && flags.html === undefined)
    throw new UsageError('--redact takes secrets out of the page: name its file with --html')
  const compared = await comparedEngines(configuration, flags.compare, flags, engine)
  const template = flags.html === undefined ? undefined : await readPageTemplate()
  if (flags.provider !== undefined) billPrices(flags.provider, undefined)
  const place = replayPlace(configuration, flags)
  const page =
    flags.html === undefined
      ? undefined
      : await openOutput(flags.html, place?.kind === 'file' ? [place.path] : [], file, {
          force: flags.force,
          mark: PAGE_MARK,
        })
  const transcript = await withProgress('reading', (onProgress) => readTranscript(file, { onProgress }))
  tellReading(file, transcript, config)

  // The tokenizer takes time to load, which `--help` should not wait for.
  const { createTokenCounter } = await import('@palimpsest/tokens')
  const prices = billPrices(flags.provider, transcript.model)
  const task: ReplayTask = {
    configuration,
    file,
    transcript,
    window: flags.window,
    prices,
    model: isRecorded ? recording.model : chosen.model,
    reader: isRecorded ? recording.reader : reading?.model,
    summaries: summaryModel.description,
    tokens: createTokenCounter(),
    ...(isRecorded && { startedAt: RECORDED_AT }),
    isRecorded: template !== undefined,
  }
  const target = await openReplayStore(configuration, flags, file, transcript)
  if (target !== undefined && target.stored > 0)
    process.stderr.write(`${describeStored(target, transcript)}\n`)
  const label = compared.length === 0 ? 'replaying' : `replaying ${engine.definition.name}`
  const input = { engine, flags, label, ...(target && { target }) }
  let missing = 0
  const replay = await replayEngine(task, input)
    .then(async (done) => {
      missing = target === undefined ? 0 : done.report.session.messages - (await storedIn(target))
      return done
    })
    .finally(() => target?.store.close())
  const alone = { ...task, model: chosen.model, reader: reading?.model, summaries: chosen.description }
  const others = await replayCompared(alone, compared)
  const answers = isRecorded ? recording.answers : undefined
  const isRedacted = flags.redact ?? false
  // A path may name its owner.
  const again = isRedacted ? undefined : replayCommand(file)
  const command = recording === undefined ? again : 'demo'
  const text = flags.json
    ? `${JSON.stringify(replay.report)}\n`
    : renderReport({
        file,
        transcript,
        replay,
        summaries: summaryModel.description,
        answers,
        compared: others.done,
      })
  try {
    if (page !== undefined && template !== undefined && replay.view !== undefined)
      await writePageFile(
        page,
        template,
        [{ ...replay.view, ...(answers && { answers }) }, ...others.views].map((view) => ({
          ...view,
          ...(command !== undefined && { command }),
        })),
        isRedacted,
      )
  } finally {
    // A full disk must not cost the report.
    process.stdout.write(text)
  }
  // The address follows the report, so that it is seen.
  if (page?.isRegular) process.stderr.write(`the page: ${pathToFileURL(page.path).href}\n`)
  if (target !== undefined && missing > 0)
    process.stderr.write(
      `palimpsest: ${missing} messages are not in ${target.store.location}: ${storeTrouble(replay)}; replay again when it takes them\n`,
    )
  return replay.report.invariants.violations.length === 0 && missing <= 0 ? others.exitCode : EXIT_FOUND
}

async function storedIn({ store, principal, sessionId }: ReplayStore): Promise<number> {
  try {
    return (await (await store.find({ principal, key: sessionId }))?.head())?.nextSeq ?? 0
  } catch {
    return 0
  }
}

function storeTrouble({ report }: Replay): string {
  const warning = report.warnings.find(({ code }) => code === 'store-unavailable')
  return warning?.message ?? 'it cannot be read'
}

function tellReading(file: string, { malformed }: Transcript, { compression }: Config): void {
  for (const { line, reason } of malformed.slice(0, SHOWN_MALFORMED))
    process.stderr.write(`${file} line ${line}: ${reason}; skipped\n`)
  if (!compression.enabled)
    process.stderr.write('compression.enabled is false in the configuration: nothing is compacted.\n')
  const more = malformed.length - SHOWN_MALFORMED
  if (more > 0) process.stderr.write(`${file}: ${more} more malformed lines were skipped\n`)
}

function describeStored({ sessionId, stored }: ReplayStore, { entries }: Transcript): string {
  const rest = stored < entries.length ? 'the replay goes on after them' : 'there is nothing to replay'
  return `${stored} of ${entries.length} messages are in the store already, in the session ${sessionId}: ${rest}`
}

const SHOWN_MALFORMED = 5

function summaryChoice(
  { model, baseUrl }: Pick<ReplayFlags, 'model' | 'baseUrl'>,
  { auxiliary: { compression: block } }: Config,
): SummaryChoiceInput {
  const environment = process.env
  if (model === undefined) {
    if (baseUrl !== undefined) throw new UsageError('--base-url is where a model is: name it with --model')
    return { block, main: undefined, environment }
  }
  const { timeout, context_length } = block
  const named = { ...readModelName(model, { baseUrl }, '--model'), base_url: baseUrl }
  return { block: { ...named, timeout, context_length }, main: undefined, environment }
}

async function writePageFile(
  output: OutputFile,
  template: string,
  views: readonly SessionView[],
  isRedacted: boolean,
): Promise<void> {
  const shown = isRedacted ? views.map(redactView) : views
  const text = embedViews(template, { format: 1, version, isRedacted, views: shown })
  await writeOutput(output, text)
}

/** A failure is printed and leaves a gap, because earlier replays may have been long and paid for. */
async function replayCompared(task: ReplayTask, engines: readonly ComparedEngine[]) {
  const views: SessionView[] = []
  const done: ComparedReplay[] = []
  let exitCode = 0
  for (const { configuration, engine, flags } of engines) {
    const { name } = engine.definition
    const input = { engine, flags, label: `replaying ${name}`, sessionId: `replay ${name}` }
    try {
      const { view, report } = await replayEngine({ ...task, configuration }, input)
      if (view !== undefined) views.push(view)
      done.push({ report, summaries: task.summaries })
      if (report.invariants.violations.length > 0)
        process.stderr.write(`${name}: an invariant was violated; replay with --engine ${name} says which\n`)
    } catch (error) {
      exitCode = EXIT_USAGE
      process.stderr.write(`palimpsest: the page is without ${name}, which failed: ${firstLine(error)}\n`)
    }
  }
  return { views, done, exitCode }
}

export function redactView(view: SessionView): SessionView {
  return redacted(view) as SessionView
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value)
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redacted(inner)]))
}

interface ComparedEngine {
  readonly configuration: Configuration
  readonly engine: ChosenEngine
  readonly flags: EngineFlags
}

async function comparedEngines(
  configuration: Configuration,
  names: string | undefined,
  { threshold }: EngineFlags,
  first: ChosenEngine,
): Promise<ComparedEngine[]> {
  if (names === undefined) return []
  const wanted = new Set(names.split(',').map((name) => name.trim()))
  if (wanted.has(''))
    throw new UsageError('--compare wants names of engines with commas between them, as in lcm,decisions')
  wanted.delete(first.definition.name)
  const found: ComparedEngine[] = []
  for (const engine of wanted) {
    const flags = { engine, ...(threshold !== undefined && { threshold }) }
    found.push({ configuration, engine: await chooseEngine(configuration, flags), flags })
  }
  return found
}
