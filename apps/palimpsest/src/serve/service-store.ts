import { randomUUID } from 'node:crypto'
import { type Clock, listSessions, type Store, type StoredSession } from '@palimpsest/core'
import type { MeteredCall } from './models/meter.ts'
import { type PaidTokens, type Purpose, paidTokens, sumTokens } from './models/price-of.ts'

export interface ConversationRecord {
  readonly session: string
  /** The store key: the session's name, or `shop#2` for its second conversation. Callers' names contain no `#`. */
  readonly key: string
  readonly stored: StoredSession
}

export interface PromptFacts {
  readonly repoName: string | undefined
  readonly system: string
}

export interface CostRecord extends PaidTokens {
  readonly purpose: Purpose
  readonly model: string
  readonly calls: number
  readonly reasoningTokens: number
}

export interface NamedAnswer {
  readonly hash: string
  readonly response: unknown
}

/** State beside the log: the latest conversation's number on the session, and the prompt on each conversation. */
const LATEST = 'service'
const PROMPT = 'prompt'
const COSTS = 'costs:'

interface ServiceStoreInput {
  readonly store: Store
  readonly principal: string
  readonly clock: Clock
}

export type ServiceStore = ReturnType<typeof createServiceStore>

export function createServiceStore({ store, principal, clock }: ServiceStoreInput) {
  const keyOf = (session: string, epoch: number) => (epoch === 1 ? session : `${session}#${epoch}`)
  const open = (key: string) => store.session({ principal, key }, clock.now())

  const latestEpoch = async (first: StoredSession): Promise<number> => {
    const latest = (await first.state(LATEST)) as { readonly epoch: number } | null
    return latest?.epoch ?? 1
  }
  const find = async (session: string): Promise<ConversationRecord | undefined> => {
    const first = await store.find({ principal, key: session })
    if (first === null) return undefined
    const key = keyOf(session, await latestEpoch(first))
    return { session, key, stored: key === session ? first : await open(key) }
  }
  const costEvents = async (scopes: readonly string[]) => {
    const [any] = await store.list({ principal, limit: 1 })
    const session = any === undefined ? null : await store.find(any)
    return session === null || scopes.length === 0 ? [] : session.events({ scopes })
  }

  return {
    store,
    principal,
    find,
    async begin(session: string, repoName: string | undefined): Promise<ConversationRecord> {
      const first = await open(session)
      let epoch = await latestEpoch(first)
      let stored = epoch === 1 ? first : await open(keyOf(session, epoch))
      while ((await stored.head()).nextSeq > 0) stored = await open(keyOf(session, ++epoch))
      if (epoch > 1) await first.saveState(LATEST, { epoch })
      const prompt: PromptFacts = { repoName, system: '' }
      await stored.saveState(PROMPT, prompt)
      return { session, key: stored.key, stored }
    },
    async prompt({ stored }: ConversationRecord): Promise<PromptFacts> {
      return ((await stored.state(PROMPT)) as PromptFacts | null) ?? { repoName: undefined, system: '' }
    },
    savePrompt: ({ stored }: ConversationRecord, prompt: PromptFacts) => stored.saveState(PROMPT, prompt),
    async answer({ stored }: ConversationRecord, requestId: string): Promise<NamedAnswer | null> {
      return (await stored.state(`request:${requestId}`)) as NamedAnswer | null
    },
    saveAnswer: ({ stored }: ConversationRecord, requestId: string, answer: NamedAnswer) =>
      stored.saveState(`request:${requestId}`, answer),
    sessions: () => listSessions(store, { principal }),
    addCost: ({ key, stored }: ConversationRecord, { purpose, model, usage }: MeteredCall) => {
      const cost = { purpose, model, ...paidTokens(usage), reasoningTokens: usage?.reasoningTokens ?? 0 }
      return stored.record({ scope: `${COSTS}${key}`, events: [{ id: randomUUID(), body: cost }] })
    },
    async costs(record?: ConversationRecord): Promise<CostRecord[]> {
      const scopes =
        record === undefined
          ? (await store.scopes(principal)).filter((scope) => scope.startsWith(COSTS))
          : [`${COSTS}${record.key}`]
      const sums = new Map<string, CostRecord>()
      for (const { body } of await costEvents(scopes)) {
        const cost = { ...(body as Omit<CostRecord, 'calls'>), calls: 1 }
        const name = `${cost.purpose} ${cost.model}`
        const sum = sums.get(name)
        sums.set(name, sum === undefined ? cost : added(sum, cost))
      }
      return [...sums.keys()].sort().flatMap((name) => sums.get(name) ?? [])
    },
  }
}

function added(sum: CostRecord, cost: CostRecord): CostRecord {
  const [calls, reasoningTokens] = [sum.calls + cost.calls, sum.reasoningTokens + cost.reasoningTokens]
  return { ...sum, ...sumTokens([sum, cost]), calls, reasoningTokens }
}
