import { copyValue, countMessages, freezeMessage, type Message, roughTokenCounter } from '@palimpsest/core'
import { createCachePlanner, findPricing } from '@palimpsest/prompt-caching'
import { exampleTools } from '../cost/session-layouts.ts'
import { generateConversation } from '../workload/conversation.ts'
import { STRINGIFY, stringifyFloor } from './measure-list.ts'
import { type RatioRow, timeRows } from './time.ts'

/** Limit for planning, as a share of serialising the messages. */
const TARGET = 0.01

const MODEL = 'claude-sonnet-5-5'
/** Messages that are new in each request: a call and its result. */
const NEW = 2
/** Rounds before the first that counts, for each that counts: planning runs in the process of a long session. */
const WARM_UP = 8
/** Between requests of an agent at work, in milliseconds. */
const STEP = 20_000
/** At first sight everything is hashed: a few runs tell. */
const COLD_RUNS = 8

/** A plan beside serialising the messages: with two new messages, and with all of them new. Tokens are counted before. */
export async function measurePlanning({
  messages,
  runs,
  seed,
}: {
  readonly messages: number
  readonly runs: number
  readonly seed: number
}): Promise<RatioRow[]> {
  const all = generateConversation({ seed, messages }).messages.slice(0, messages)
  countMessages(roughTokenCounter, all)
  const tools = exampleTools().map(freezeMessage)
  const profile = findPricing({ model: MODEL })
  let now = 0
  const createPlanner = () =>
    createCachePlanner({ pricing: profile, tokens: roughTokenCounter, clock: { now: () => (now += STEP) } })

  const planner = createPlanner()
  // The last request that counts has all of the messages.
  let end = Math.max(0, messages - 2 * NEW * runs * (WARM_UP + 1))
  const grow = () => {
    end = Math.min(messages, end + NEW)
    return all.slice(0, end)
  }
  const plan = (list: readonly Message[]) => planner.plan({ messages: list, tools })
  const input = { messages, against: STRINGIFY }
  const growing = await timeRows(
    { ...input, runs, warmUp: WARM_UP, floor: () => stringifyFloor(all.slice(0, end))() },
    [
      {
        operation: 'plan breakpoints, two messages are new',
        target: TARGET,
        measured() {
          // The floor's text is as large as the prompt: what it leaves to the collector and in the processor's caches is
          // paid by a request that does not count.
          plan(grow())
          const list = grow()
          return () => plan(list)
        },
      },
    ],
  )
  const unseen = await timeRows({ ...input, runs: COLD_RUNS, warmUp: 1, floor: stringifyFloor(all) }, [
    {
      operation: 'plan breakpoints, all messages are new',
      measured() {
        const list = all.map((message) => freezeMessage(copyValue(message)))
        countMessages(roughTokenCounter, list)
        const fresh = createPlanner()
        return () => fresh.plan({ messages: list, tools })
      },
    },
  ])
  return [...growing, ...unseen]
}
