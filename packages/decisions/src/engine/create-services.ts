import { type ContextEngine, type EngineHost, fillEngine, THRESHOLD_FLOOR_TOKENS } from '@palimpsest/core'
import { createWindowCompaction } from '../compaction/create-window-compaction.ts'
import { Placement } from '../placement/placement.ts'
import { createTopicWatch, type TopicWatch } from '../placement/topic-shift.ts'
import { DecisionRecorder } from './decision-recorder.ts'
import { createEmbedder } from './embedder.ts'
import { createEngineTools } from './engine-tools.ts'
import { Extraction } from './extraction.ts'
import { createExtractionJobs } from './extraction-jobs.ts'
import { createHeadroom } from './headroom.ts'
import { createMemoryLink } from './memory-link.ts'
import { openSession } from './open-session.ts'
import { type DecisionsOptions, resolveSettings } from './options.ts'
import { createSummaryKeeper, type SummaryKeeper } from './summary-keeper.ts'

/** The services of one engine, connected with each other. */
export type Services = ReturnType<typeof createServices>

export function createServices(options: DecisionsOptions, host: EngineHost) {
  const settings = resolveSettings(options)
  const seed = options.profile === 'seed'
  const { tokens, clock } = host
  const now = () => clock.now()
  const opened = openSession(options, { sessionId: host.sessionId, now })
  const embedder = options.embed && createEmbedder({ embed: options.embed, clock })
  const jobs = createExtractionJobs(settings.batch_turns)
  const model = options.extraction_model ?? host.model
  const recorder = new DecisionRecorder({
    opened,
    project: options.project,
    now,
    embedder,
    jobs: model && jobs,
  })
  const extraction =
    model &&
    new Extraction({
      recorder,
      opened,
      jobs,
      embedder,
      clock,
      model,
      judge: options.dedup_model ?? model,
      seed,
      holder: `${host.sessionId} ${clock.now()}`,
    })
  const memory = options.memory && createMemoryLink(options.memory)
  const topic = createTopicWatch()
  const summaries = createSummaryKeeper(recorder, opened)
  const compaction = createCompaction(options, host, topic, summaries)
  const placement = new Placement({
    tokens,
    budgetTokens: settings.budget_tokens,
    recallTokens: settings.recall_tokens,
    litm: seed,
  })
  const headroom = createHeadroom({
    placement,
    recorder,
    tokens,
    asksMemory: memory !== undefined,
    windowTokens: () => compaction.contextLength - host.maxOutputTokens,
  })
  const tools = createEngineTools(recorder, opened)
  return {
    opened,
    embedder,
    recorder,
    extraction,
    memory,
    topic,
    summaries,
    compaction,
    placement,
    headroom,
    tools,
  }
}

/** The engine of the options, or one summary of everything but the recent messages. */
function createCompaction(
  options: DecisionsOptions,
  host: EngineHost,
  topic: TopicWatch,
  { known, keep }: SummaryKeeper,
): ContextEngine {
  if (options.compaction !== undefined)
    return options.compaction.engine.create(options.compaction.options ?? {}, host)
  const parts = createWindowCompaction({
    host,
    seed: options.profile === 'seed',
    threshold: resolveSettings(options).threshold,
    floorTokens: options.threshold === undefined ? THRESHOLD_FLOOR_TOKENS : 0,
    hasTopicShift: () => topic.hasShifted,
    known,
    keep,
  })
  return fillEngine('decisions', parts, host)
}
