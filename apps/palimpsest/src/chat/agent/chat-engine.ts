import { dirname } from 'node:path'
import type { ChatModel, CompletionModel, ContextSession, StoredProjection } from '@palimpsest/core'
import { makeHomeFolder } from '../../home-folder.ts'
import { answerTokens } from '../../models/answer-tokens.ts'
import { OFFLINE_SUMMARIES } from '../../models/find-summary-model.ts'
import type { PromptCache } from '../../prompt-cache.ts'
import { findDecisions } from '../../serve/conversations/find-decisions.ts'
import { createOfflineAnswerer, OFFLINE_MODEL } from '../../serve/models/offline-answerer.ts'
import { createServiceEngine, type ServiceEngineFlags } from '../../serve/service-engine.ts'
import { sharedPlace } from '../../stores/find-store-place.ts'
import { filePlace } from '../../stores/store-place.ts'
import { recordPaths } from '../records/record-line.ts'
import type { ChatAgentInput } from './chat-agent-input.ts'
import { patiently } from './patiently.ts'

/** An engine at work on one chat. */
export interface ChatEngine {
  readonly name: string
  /** The same for people: what compacts inside of it, and who chose it, on a line. */
  readonly line: string
  /** Why it is not the engine that was asked for, and the like. */
  readonly warnings: readonly string[]
  /** Recorded for the page, where there is one. */
  readonly session: ContextSession
  /** The same session, for a look that is no request. */
  readonly unrecorded: ContextSession
  /** Answers: the model, or what quotes the context of this engine where there is none. */
  readonly model: ChatModel
  close(): Promise<void>
}

export interface ChatEngineInput
  extends Pick<
    ChatAgentInput,
    'configuration' | 'home' | 'inspector' | 'model' | 'tokens' | 'clock' | 'window'
  > {
  readonly flags: ServiceEngineFlags
  /** Stands behind the name: who chose the engine. */
  readonly origin: (name: string) => string
  /** The chat. */
  readonly id: string
  /** The engine that it was on, and what that one's session kept of its last compaction. */
  readonly last: { readonly engine: string; readonly projection: StoredProjection | undefined }
  /** Reads decisions; metered. */
  readonly reader: CompletionModel | undefined
  /** Writes summaries; metered. */
  readonly summarizer: CompletionModel | undefined
  readonly cache: PromptCache
}

/** Milliseconds for an engine to end. */
const END_LIMIT = 5_000

/**
 * Puts an engine to work on a chat. What it keeps lies in the database that everything is kept in, else in files of this
 * chat alone, so that a chat that is resumed finds its summaries and decisions again, and two chats never wait for each
 * other.
 *
 * @throws UsageError, also for a store that cannot be used; another PalimpsestError for an engine that cannot.
 */
export async function openChatEngine(input: ChatEngineInput): Promise<ChatEngine> {
  const { configuration, flags, id, last, home, inspector, window, tokens, clock } = input
  const { reader, summarizer, cache } = input
  const place = sharedPlace(configuration) ?? filePlace(recordPaths(home, id).store)
  if (place.kind === 'file') makeHomeFolder(dirname(place.path))
  const common = { window, tokens, clock }
  const engine = await createServiceEngine({ configuration, flags: { place, ...flags }, ...common })
  try {
    const models = {
      ...(reader && { extraction: reader, dedup: reader }),
      ...(summarizer && { compaction: summarizer }),
    }
    const { model } = input
    const planner = cache.createPlanner()
    const unrecorded = await engine.open(id, models, {
      contextLength: window,
      maxOutputTokens: answerTokens(window),
      platform: 'cli',
      modelName: model?.name,
      ...(last.engine === engine.name && { restored: last.projection }),
      ...(planner !== undefined && { cache: planner }),
    })
    const watched = inspector?.watch(unrecorded, {
      source: 'chat',
      profile: engine.profile,
      model: model?.name ?? OFFLINE_MODEL,
      summaries: summarizer?.name ?? OFFLINE_SUMMARIES,
      reader: engine.reader(id),
      ...(cache.prices !== undefined && { prices: cache.prices }),
    })
    const session = watched ?? unrecorded
    const offline = () =>
      createOfflineAnswerer(async (subject, signal) =>
        findDecisions(unrecorded, subject, await engine.decisionsOf(id).catch(() => null), signal),
      )
    return {
      name: engine.name,
      line: `Engine ${engine.title}${input.origin(engine.name)}`,
      warnings: engine.warnings,
      session,
      unrecorded,
      model: model ?? offline(),
      async close() {
        await patiently(session.end(), END_LIMIT)
        await engine.close()
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}
