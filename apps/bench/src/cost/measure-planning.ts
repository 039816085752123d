import { copyValue, countMessages, freezeMessage, type Message, roughTokenCounter } from '@palimpsest/core'
import { createCachePlanner, findPricing } from '@palimpsest/prompt-caching'
import { STRINGIFY, stringifyFloor } from '../speed/measure-compress.ts'
import { type RatioRow, timeRow } from '../speed/ratio-row.ts'
import { timePair } from '../speed/time.ts'
import { generateConversation } from '../workload/conversation.ts'
import { exampleTools } from './session-layouts.ts'

/** What planning must stay below, as a share of serialising the messages. */
export const PLANNING_TARGET = 0.01

const MODEL = 'claude-sonnet-5-5'
/** Messages that are new in each request: a call and its result. */
const NEW = 2
/** Rounds before the first that counts, for each that counts: planning runs in the process of a long session. */
const WARM_UP = 8
/** Between requests of an agent at work, in milliseconds. */
const STEP = 20_000
/** At first sight everything is hashed: a few runs tell. */
const COLD_RUNS = 8

/**
 * What planning a request costs against serialising its messages: as in a session, where two messages are new, and at
 * first sight, where all of them are. The tokens of messages are counted before, as a session does for its estimate.
 */
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
  const row = (operation: string) => ({ operation, messages, against: STRINGIFY })
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
  const growing = {
    prepare() {
      // The floor's text is as large as the prompt: what it leaves to the collector and in the processor's caches is
      // paid by a request that does not count.
      plan(grow())
      return grow()
    },
    run: plan,
  }
  const unseen = {
    prepare() {
      const list = all.map((message) => freezeMessage(copyValue(message)))
      countMessages(roughTokenCounter, list)
      return { list, fresh: createPlanner() }
    },
    run: ({ list, fresh }: { list: readonly Message[]; fresh: ReturnType<typeof createPlanner> }) =>
      fresh.plan({ messages: list, tools }),
  }
  const floor = stringifyFloor(all)
  const sameFloor = { prepare: () => all.slice(0, end), run: floor.run }
  return [
    timeRow(
      { ...row('plan, two messages are new'), target: PLANNING_TARGET },
      await timePair(growing, sameFloor, runs, WARM_UP),
    ),
    timeRow(row('plan, all messages are new'), await timePair(unseen, floor, COLD_RUNS, 1)),
  ]
}
