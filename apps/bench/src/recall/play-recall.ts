import { countMessages, type Message, type TokenCounter } from '@palimpsest/core'
import type { Arm, OpenedArm, Projection } from '../arms/arm.ts'
import { type AfterCompaction, measureAfterCompaction } from './after-compaction.ts'
import { createLocator } from './locate.ts'
import { identifierQueries, type SearchResult, searchFor } from './scripted-search.ts'
import type { Reference, SessionReading } from './session-reading.ts'

/** What one arm showed the model in one session. */
export interface Play {
  readonly probes: readonly Probe[]
  readonly requests: readonly Request[]
  /** Empty for bounds. */
  readonly afterCompactions: readonly AfterCompaction[]
  readonly compactions: number
  /** A code for each warning. */
  readonly warnings: readonly string[]
}

/** A far re-reference, and where the model would have had it from. */
export interface Probe {
  readonly reference: Reference
  /** Share of the projection's tokens before its last place there; null when it is not there. */
  readonly place: number | null
  /** By searching for it, when the projection does not hold it and the arm has tools. */
  readonly byName?: SearchResult
  /** By searching for the words around it. */
  readonly byContext?: SearchResult
}

export interface Request {
  /** Tokens of the projection's messages. */
  readonly tokens: number
  /** Tokens of the arm's tools. */
  readonly toolTokens: number
  /** Far re-references that the projection was asked for, and how many of them it held. */
  readonly asked: number
  readonly held: number
}

export interface PlayInput {
  readonly arm: Arm
  readonly reading: SessionReading
  /** Tokens. */
  readonly budget: number
  readonly tokens: TokenCounter
}

/**
 * Plays a session as its host would: a projection before each message of the assistant, and the message as its answer. What
 * a user's message refers to is looked for in the projection before it, because an engine knows nothing of the message yet.
 */
export async function playRecall({ arm, reading, budget, tokens }: PlayInput): Promise<Play> {
  const { messages } = reading.session
  const far = Map.groupBy(
    reading.references.filter(({ distance }) => distance > budget),
    ({ message }) => message,
  )
  const opened = await arm.open({ sessionId: `recall-${reading.session.name}`, budget, tokens })
  const probes: Probe[] = []
  const requests: { tokens: number; toolTokens: number; asked: number; held: number }[] = []
  const afterCompactions: AfterCompaction[] = []
  const warnings: string[] = []
  let compactions = 0
  let shown: readonly Message[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') {
      const projection = await opened.project(messages.slice(0, index))
      shown = projection.messages
      requests.push({ ...sizeOf(projection, tokens), asked: 0, held: 0 })
      warnings.push(...projection.warnings)
      if (projection.compacted) {
        compactions++
        if (arm.kind !== 'bound')
          afterCompactions.push(
            measureAfterCompaction({ reading, message: index, projection: shown, tokens }),
          )
      }
    }
    const references = far.get(index)
    if (references !== undefined) {
      const found = await measureProbes({ references, shown, opened, arm, reading, tokens })
      probes.push(...found)
      const request = requests.at(-1)
      if (request !== undefined) {
        request.asked += found.length
        request.held += found.filter(({ place }) => place !== null).length
      }
    }
    if (message.role === 'assistant') await opened.answered(message)
  }
  await opened.end()
  return { probes, requests, afterCompactions, compactions, warnings }
}

function sizeOf(
  { messages, tools }: Projection,
  tokens: TokenCounter,
): Pick<Request, 'tokens' | 'toolTokens'> {
  return { tokens: countMessages(tokens, messages), toolTokens: tokens.countTools(tools) }
}

interface ProbesInput extends Omit<PlayInput, 'budget'> {
  readonly references: readonly Reference[]
  readonly shown: readonly Message[]
  readonly opened: OpenedArm
}

async function measureProbes({
  references,
  shown,
  opened,
  arm,
  reading,
  tokens,
}: ProbesInput): Promise<Probe[]> {
  const { searches } = arm
  const placeOf = createLocator(shown, { sightings: reading.sightings, tokens })
  const probes: Probe[] = []
  for (const reference of references) {
    const { identifier, contextQueries } = reference
    const place = placeOf(identifier)
    if (place !== null || searches.length === 0) {
      probes.push({ reference, place })
      continue
    }
    const search = (queries: readonly string[]) =>
      searchFor({ identifier, queries, searches, opened, tokens })
    const byName = await search(identifierQueries(identifier))
    probes.push({ reference, place, byName, byContext: await search(contextQueries) })
  }
  return probes
}
