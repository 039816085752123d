import { countMessages } from '../budget/count-tokens.ts'
import { InvalidMessagesError } from '../errors/errors.ts'
import { changedFrom, equalValues, freezeMessage } from '../messages/json-value.ts'
import { createConversationLog } from '../session/conversation-log.ts'
import { openStore } from '../session/open-store.ts'
import { PROMPT_STATES } from '../session/prompt-states.ts'
import { atOnce, createSerialQueue } from '../session/scheduling.ts'
import type {
  CompressCall,
  CompressResult,
  EngineDefinitionInput,
  EngineHost,
  EngineParts,
  Ingest,
  Message,
  Warning,
} from '../spec/v1/index.ts'
import { delegateMembers } from './delegate-members.ts'

/**
 * Gives a storing engine its own log and store, for a host without a session, and assigns ids to messages. A list is
 * the whole history, or the last result of `compress` followed by new messages.
 */
export function createWithOwnLog<Options>(
  definition: EngineDefinitionInput<Options>,
  options: Options,
  host: EngineHost,
): EngineParts {
  const { tokens, clock, sessionId: key } = host
  const { open, close } = openStore({ make: host.store ?? definition.store, key, clock })
  const log = createConversationLog({ tokens, clock, open })
  const parts = definition.create(options, { ...host, log })
  let given: { readonly messages: readonly Message[]; readonly at: number } | undefined

  let resumed: Promise<void> | undefined
  const resume = (): Promise<void> => {
    resumed ??= read().catch(() => {
      resumed = undefined
    })
    return resumed
  }
  const read = async (): Promise<void> => {
    const saved = (await (await log.open()).state(PROMPT_STATES.engine)) as typeof given | null
    if (saved === null || saved === undefined || saved.at > log.messages.length) return
    const messages = saved.messages.map((message) => {
      const own = log.messages[log.indexOf(message)]
      return own !== undefined && equalValues(own, message) ? own : freezeMessage(message)
    })
    given = { ...saved, messages }
    log.handOut(messages.map(log.bare))
  }
  const follow = (list: readonly Message[]): void => {
    const { from, taken } = atOnce(log.reconcile(list))
    if (taken.length > 0 && given !== undefined && from < given.at) given = undefined
  }
  const identify = (list: readonly Message[]): readonly Message[] => {
    const lists = [log.messages, ...(given ? [[...given.messages, ...log.messages.slice(given.at)]] : [])]
    const known = lists.map((own) => own.slice(0, changedFrom(own.map(log.bare), list)))
    const [longest = []] = known.sort((one, other) => other.length - one.length)
    return Object.freeze([...longest, ...list.slice(longest.length)])
  }

  const enqueue = createSerialQueue()
  const compress = async (call: CompressCall): Promise<CompressResult> => {
    await resume()
    follow(call.messages)
    const unsaved = await log.save()
    const result = await parts.compress({ ...call, messages: identify(call.messages) })
    const messages = result.messages.map(log.bare)
    if (result.outcome === 'compacted') {
      given = { messages: result.messages, at: log.messages.length }
      log.handOut(messages)
      const save = async () => (await log.open()).saveState(PROMPT_STATES.engine, given)
      if (log.unsaved === 0) await save().catch(() => {})
    }
    return {
      ...result,
      messages,
      tokensBefore: countMessages(tokens, call.messages),
      tokensAfter: countMessages(tokens, messages),
      warnings: [...unsaved, ...result.warnings],
    }
  }
  const ingest = async ({ messages, from }: Ingest): Promise<readonly Warning[]> => {
    await resume()
    if (!Number.isInteger(from) || from < 0 || from > log.said.length)
      throw new InvalidMessagesError(
        `ingest began at message ${String(from)}, but ${log.said.length} messages were ingested so far; ingest every message in order`,
      )
    if (!Array.isArray(messages)) throw new InvalidMessagesError('messages must be a list')
    follow([...log.said.slice(0, from), ...messages])
    const unsaved = await log.save()
    const said = (await parts.ingest?.({ messages: log.messages.slice(from), from })) ?? []
    return [...unsaved, ...said]
  }

  const members: Partial<EngineParts> = {
    async onSessionStart(start) {
      await resume()
      await parts.onSessionStart?.(start)
    },
    compress: (call) => enqueue(() => compress(call), call.signal),
    ingest: (input) => enqueue(() => ingest(input)),
    ...(parts.pruneToolResults && {
      async pruneToolResults(messages) {
        const known = identify(messages)
        const pruned = await parts.pruneToolResults?.(known)
        return pruned === undefined || pruned === known ? messages : pruned.map(log.bare)
      },
    }),
    ...(parts.selectContext && {
      async selectContext(call) {
        const selected = await parts.selectContext?.({ ...call, messages: identify(call.messages) })
        return selected == null ? null : { ...selected, messages: selected.messages.map(log.bare) }
      },
    }),
    ...(parts.hasContentToCompress && {
      hasContentToCompress: (messages) => parts.hasContentToCompress?.(identify(messages)) ?? true,
    }),
    async onSessionReset() {
      log.clear()
      given = undefined
      await log.save()
      await parts.onSessionReset?.()
    },
    async dispose() {
      try {
        await parts.dispose?.()
      } finally {
        await close()
      }
    },
  }
  return Object.defineProperties(
    {},
    { ...delegateMembers(parts), ...Object.getOwnPropertyDescriptors(members) },
  ) as EngineParts
}
