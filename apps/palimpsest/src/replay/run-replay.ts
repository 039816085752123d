import type { Config } from '@palimpsest/core/config'
import { readTranscript } from '@palimpsest/transcripts'
import { findEngine } from '../engines.ts'
import { openOutputs, writeOutputs } from '../output-files.ts'
import { withProgress } from '../progress.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { findSummaryModel } from '../summary-model.ts'
import { renderReport } from './render-report.ts'
import { countRequests, replaySession } from './replay-session.ts'

export interface ReplayFlags {
  readonly engine?: string
  readonly profile?: 'lean' | 'classic'
  readonly window: number
  readonly threshold?: number
  readonly model?: string
  readonly focus?: string
  readonly strict?: boolean
  readonly json?: boolean
  readonly projections?: string
  readonly transcript?: string
  readonly config?: string
}

/** Reads, replays, writes and prints. Returns the exit code: 1 when a law was violated. Flags win over the configuration. */
export async function runReplay(file: string, config: Config, flags: ReplayFlags): Promise<number> {
  const engine =
    flags.engine === undefined
      ? findEngine(config.context.engine, 'context.engine in the configuration')
      : findEngine(flags.engine)
  const summaryModel = await findSummaryModel(
    flags.model ?? configuredModel(config),
    config.auxiliary.compression.base_url,
    process.env,
  )
  if (summaryModel.notice !== undefined) process.stderr.write(`${summaryModel.notice}\n`)

  const outputs = await openOutputs(
    { '--projections': flags.projections, '--transcript': flags.transcript },
    file,
  )
  const transcript = await withProgress('reading', 'bytes', (onProgress) =>
    readTranscript(file, { strict: flags.strict ?? false, onProgress }),
  )
  for (const { line, reason } of transcript.malformed.slice(0, SHOWN_MALFORMED)) {
    process.stderr.write(`${file} line ${line}: ${reason}; skipped\n`)
  }
  if (!config.compression.enabled) {
    process.stderr.write('compression.enabled is false in the configuration: nothing is compacted.\n')
  }
  const more = transcript.malformed.length - SHOWN_MALFORMED
  if (more > 0) process.stderr.write(`${file}: ${more} more malformed lines were skipped\n`)

  // The tokenizer takes a moment to load, which `--help` should not wait for.
  const { createTokenCounter } = await import('@palimpsest/tokens')
  const { enabled, ...compression } = config.compression
  const profile = flags.profile ?? compression.profile ?? 'lean'
  const total = countRequests(transcript)
  const replay = await withProgress('replaying', 'requests', (onProgress) =>
    replaySession({
      transcript,
      engine,
      engineOptions: {
        ...compression,
        ...config.engines[engine.name],
        profile,
        ...(flags.threshold !== undefined && { threshold: flags.threshold }),
      },
      profile,
      window: flags.window,
      enabled,
      model: summaryModel.model,
      focusTopic: flags.focus,
      tokens: createTokenCounter(),
      onProgress: (done) => onProgress(done, total),
    }),
  )
  await writeOutputs(outputs, {
    '--projections': replay.projections,
    '--transcript': transcript.entries.map(({ message }) => message),
  })
  const text = flags.json
    ? `${JSON.stringify(replay.report)}\n`
    : renderReport(file, transcript, replay, summaryModel.description)
  process.stdout.write(text)
  return replay.report.laws.violations.length === 0 ? 0 : EXIT_FOUND
}

/** Malformed lines that are named one by one. */
const SHOWN_MALFORMED = 5

function configuredModel({ auxiliary }: Config): string | undefined {
  const { model, provider = 'gemini' } = auxiliary.compression
  return model === undefined ? undefined : `${provider}:${model}`
}
