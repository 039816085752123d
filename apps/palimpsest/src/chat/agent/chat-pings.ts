import {
  abortable,
  type ChatCall,
  type ChatModel,
  type Clock,
  errorText,
  ModelError,
  type Usage,
} from '@palimpsest/core'
import type { SessionCachePlanner } from '@palimpsest/prompt-caching'
import type { PingableModel } from '../../models/model-access.ts'
import { hasKept } from '../../prompt-cache.ts'

/** The last prompt of a chat is kept in its provider's cache while the person thinks, as long as the planner finds that it pays. */
export interface ChatPings {
  /** The same model. Its requests end the pings, and its answers begin them. */
  readonly model: ChatModel
  /** The next prompt will be another one. */
  stop(): void
  /** Why a prompt could not be kept; once for each failure. */
  takeFailure(): string | undefined
}

export interface ChatPingsInput {
  readonly model: ChatModel
  readonly ping: NonNullable<PingableModel['ping']>
  readonly planner: Pick<SessionCachePlanner, 'nextPing' | 'pinged'>
  readonly clock: Clock
  /** A ping was answered. */
  readonly onUsage: (usage: Usage | undefined) => void
}

export function createChatPings({ model, ping, planner, clock, onUsage }: ChatPingsInput): ChatPings {
  let running: AbortController | undefined
  let failure: string | undefined
  let isUseless = false

  const keep = async (call: ChatCall, signal: AbortSignal): Promise<void> => {
    for (let due = planner.nextPing(); due !== null; due = planner.nextPing()) {
      const wait = due.at - clock.now()
      if (wait > 0) {
        await abortable(new Promise((resolve) => setTimeout(resolve, wait).unref()), signal)
        continue
      }
      planner.pinged(due)
      const usage = await ping({ ...call, signal })
      onUsage(usage)
      if (hasKept(usage ?? null)) continue
      isUseless = true
      throw new Error('the provider wrote an answer, or did not read its cache')
    }
  }

  const stop = (): void => {
    running?.abort()
    running = undefined
  }

  return {
    model: {
      ...model,
      async chat(call) {
        stop()
        const response = await model.chat(call)
        if (isUseless || call.signal?.aborted) return response
        running = new AbortController()
        const { signal } = running
        keep(call, signal).catch((error) => {
          if (signal.aborted) return
          isUseless ||= !ModelError.isInstance(error) || FINAL.has(error.kind)
          failure = errorText(error)
        })
        return response
      },
    },
    stop,
    takeFailure() {
      const taken = failure
      failure = undefined
      return taken
    },
  }
}

/** Kinds of failures that the next ping would have, too. */
const FINAL: ReadonlySet<string> = new Set(['auth', 'invalid-request', 'context-overflow'])
