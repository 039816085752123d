import type {
  Clock,
  CompletionModel,
  EngineHost,
  Lease,
  Message,
  StoredSession,
  Summary,
  TokenCounter,
} from '@palimpsest/core'
import type { ModelCooldown } from '@palimpsest/summaries'
import { type CompactedWindow, compactWindow, isCrowded, type WrittenSummaries } from './compact-window.ts'
import type { LcmSettings } from './options.ts'
import { type CompactionPlan, planCompaction } from './plan-compaction.ts'
import type { ContextWindow } from './window.ts'

interface WriteInput {
  readonly window: ContextWindow
  readonly nextSummary: number
  readonly plan: CompactionPlan
  readonly focusTopic?: string | undefined
  readonly memoryContext?: string | undefined
  readonly signal: AbortSignal | undefined
  readonly must: boolean
  readonly force: boolean
  readonly most?: number
}

export interface CompactionWriter {
  readonly tokens: TokenCounter
  readonly modelName: string | undefined
  readonly written: WrittenSummaries
  plan(window: ContextWindow, room: number, system: readonly Message[]): CompactionPlan
  isCrowded(summaries: readonly Summary[], plan: CompactionPlan): boolean
  isCooling(): boolean
  write(input: WriteInput): Promise<CompactedWindow>
  /** Without a model no call can be paid twice, so the work needs no lease. */
  readonly underLease: CompactionLease['run']
}

interface CompactionWriterInput {
  readonly host: EngineHost
  readonly settings: LcmSettings
  readonly cooldown: ModelCooldown
  readonly open: () => Promise<StoredSession>
}

export function createCompactionWriter({
  host,
  settings,
  cooldown,
  open,
}: CompactionWriterInput): CompactionWriter {
  const { tokens, clock, model } = host
  const lease = createCompactionLease({ open, clock })
  const leased = model && askedUnder(lease, model)
  const all = { count: 0, read: 0, tokens: 0 }
  const isCooling = () => model !== undefined && cooldown.isCooling(clock.now())

  return {
    tokens,
    modelName: model?.name,
    get written() {
      return { ...all }
    },
    isCooling,
    plan: (window, room, system) =>
      planCompaction(window, { room, leading: system, settings, tokens, hasModel: model !== undefined }),
    isCrowded: (summaries, plan) => isCrowded(summaries, plan, tokens),
    async write({ force, most = Infinity, ...input }) {
      const { signal } = input
      const stop = AbortSignal.any([signal, lease.lost].filter((one) => one !== undefined))
      const written = await compactWindow({
        ...{ focusTopic: undefined, memoryContext: undefined, ...input, tokens, clock, most, signal: stop },
        model: force || !isCooling() ? leased : undefined,
        streak: cooldown.failures(),
      })
      all.count += written.written.count
      all.read += written.written.read
      all.tokens += written.written.tokens
      // A model that ignores its signal may answer after the caller has left; drop that answer.
      stop.throwIfAborted()
      if (written.failure !== undefined) cooldown.failed(clock.now(), written.failure.cooldownMs)
      else if (written.created.some(({ writer }) => writer === 'model')) cooldown.succeeded()
      return written
    },
    underLease: (input, work) => (model === undefined ? work(undefined) : lease.run(input, work)),
  }
}

/** The model, asked only while this worker has the lease, which is prolonged while it writes. */
function askedUnder(lease: CompactionLease, model: CompletionModel): CompletionModel {
  return {
    name: model.name,
    ...(model.contextLength !== undefined && { contextLength: model.contextLength }),
    async complete(call) {
      await lease.renew()
      call.signal?.throwIfAborted()
      const renewal = setInterval(() => lease.renew().catch(() => {}), RENEW_MS)
      try {
        return await model.complete(call)
      } finally {
        clearInterval(renewal)
      }
    },
  }
}

/**
 * A lease younger than this is not prolonged, in milliseconds. A call of the model that starts with it ends before it
 * expires.
 */
const RENEW_MS = 30_000
/** Time in milliseconds for which a crashed worker blocks others. */
const LEASE_MS = 150_000

const LEASE_LOST = new Error('another worker holds the lease of this session')

interface LeasedWork {
  readonly signal: AbortSignal | undefined
  readonly must: boolean
  readonly version: number
}

interface CompactionLease {
  /**
   * Runs work unless another worker compacts this session or has done so since the work was planned; returns null then,
   * and also if the lease is lost. Work with `must` always runs, without a lease: the frontier's version keeps writers
   * apart.
   */
  run<T>(input: LeasedWork, work: (lease: Lease | undefined) => Promise<T>): Promise<T | null>
  renew(): Promise<void>
  readonly lost: AbortSignal | undefined
}

interface CompactionLeaseInput {
  readonly open: () => Promise<StoredSession>
  readonly clock: Clock
}

interface Held {
  readonly session: StoredSession
  lease: Lease
  since: number
  readonly lost: AbortController | null
}

function createCompactionLease({ open, clock }: CompactionLeaseInput): CompactionLease {
  const holder = globalThis.crypto.randomUUID()
  let held: Held | undefined

  // Without a reachable store there is no lease; the commit then fails.
  const acquire = <T>(session: StoredSession, otherwise: T): Promise<Lease | null | T> =>
    session.acquireLease({ holder, now: clock.now(), ttl: LEASE_MS }).catch(() => otherwise)

  return {
    async run({ signal, must, version }, work) {
      const session = await open().catch(() => undefined)
      const since = clock.now()
      const lease = session && (await acquire(session, undefined))
      if (lease === null && !must) return null
      const lost = must ? null : new AbortController()
      const mine = session && lease ? { session, lease, lost, since } : undefined
      held = mine
      try {
        signal?.throwIfAborted()
        // Another worker just finished: the same summaries would be paid for twice and then refused.
        if (mine !== undefined && !must && (await versionOf(mine.session)) > version) return null
        return await work(must ? undefined : mine?.lease)
      } catch (error) {
        if (error === LEASE_LOST) return null
        throw error
      } finally {
        if (held === mine) held = undefined
        if (mine !== undefined) await mine.session.releaseLease(mine.lease).catch(() => {})
      }
    },
    async renew() {
      if (held === undefined) return
      const { session, lease, lost, since } = held
      const now = clock.now()
      if (now >= since && now - since < RENEW_MS) return
      held.since = now
      const again = await acquire(session, lease)
      if (again?.token === lease.token) return
      // The token changed: another worker had the lease in between.
      if (again) held.lease = again
      lost?.abort(LEASE_LOST)
      lost?.signal.throwIfAborted()
    },
    get lost() {
      return held?.lost?.signal
    },
  }
}

async function versionOf(session: StoredSession): Promise<number> {
  try {
    return (await session.head()).version
  } catch {
    return 0
  }
}
