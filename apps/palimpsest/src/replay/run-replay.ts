import type { Config } from '@palimpsest/core/config'
import { readTranscript, type Transcript } from '@palimpsest/transcripts'
import { type BillFlags, openPriceList } from '../bill/bill-profile.ts'
import { createReplayBill } from '../bill/replay-bill.ts'
import { type ChosenEngine, chooseEngine, type EngineFlags } from '../engines/choose-engine.ts'
import type { Configuration } from '../engines/configuration.ts'
import { openSession } from '../engines/open-session.ts'
import { openOutputs, writeOutputs } from '../output-files.ts'
import { withProgress } from '../progress.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { findSummaryModel } from '../summary-model.ts'
import { renderReport } from './render-report.ts'
import { countRequests, replaySession } from './replay-session.ts'
import { openReplayStore, type ReplayStore } from './replay-store.ts'

export interface ReplayFlags extends EngineFlags, BillFlags {
  readonly session?: string
  readonly window: number
  readonly model?: string
  readonly focus?: string
  readonly strict?: boolean
  readonly json?: boolean
  readonly projections?: string
  readonly transcript?: string
  readonly config?: string
}

/** Reads, replays, writes and prints. Returns the exit code: 1 when a law was violated. Flags win over the configuration. */
export async function runReplay(
  file: string,
  configuration: Configuration,
  flags: ReplayFlags,
): Promise<number> {
  const { config } = configuration
  const engine = await chooseEngine(configuration, flags)
  const summaryModel = await findSummaryModel(
    flags.model ?? configuredModel(config),
    config.auxiliary.compression.base_url,
    process.env,
  )
  if (summaryModel.notice !== undefined) process.stderr.write(`${summaryModel.notice}\n`)

  // A wrong flag is told before a long file is read.
  const priceList = await openPriceList(flags)
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
  const tokens = createTokenCounter()
  const prices = priceList.choose(transcript.model)
  const unused = priceList.unused(prices, summaryModel.model?.name)
  if (unused !== null) process.stderr.write(`${unused}\n`)
  const bill = createReplayBill({
    prices,
    setting: config.prompt_caching.cache_ttl,
    tokens,
    model: summaryModel.model,
    known: priceList.known,
  })
  const store = await openReplayStore(configuration, flags, engine, file, transcript)
  if (store !== undefined && store.stored > 0) process.stderr.write(`${describeStored(store, transcript)}\n`)
  const total = countRequests(transcript, store?.stored)
  const replay = await withProgress('replaying', 'requests', (onProgress) =>
    replaySession({
      transcript,
      open: async (parts) => {
        const { session, chosen } = await openSession(configuration, flags, store?.engine ?? engine, parts)
        for (const { message } of chosen.warnings) process.stderr.write(`palimpsest: ${message}\n`)
        return { session, profile: profileOf(chosen), warnings: chosen.warnings }
      },
      window: flags.window,
      enabled: config.compression.enabled,
      compactAt: config.prompt_caching.compact_at,
      bill,
      focusTopic: flags.focus,
      tokens,
      ...(store !== undefined && {
        sessionId: store.sessionId,
        startedAt: store.startedAt,
        stored: store.stored,
      }),
      onProgress: (done) => onProgress(done, total),
    }),
  )
  await store?.finish(tokens)
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

function describeStored({ sessionId, stored }: ReplayStore, { entries }: Transcript): string {
  const rest = stored < entries.length ? 'the replay goes on behind them' : 'there is nothing to replay'
  return `${stored} of ${entries.length} messages are in the store already, in the session ${sessionId}: ${rest}`
}

/** Malformed lines that are named one by one. */
const SHOWN_MALFORMED = 5

function profileOf({ options: { profile } }: ChosenEngine): string | null {
  return typeof profile === 'string' ? profile : null
}

function configuredModel({ auxiliary }: Config): string | undefined {
  const { model, provider = 'gemini' } = auxiliary.compression
  return model === undefined ? undefined : `${provider}:${model}`
}
