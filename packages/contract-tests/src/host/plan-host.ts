import { createPatience } from '../harness/time-limit.ts'
import type { PlannedCase } from '../run-suite.ts'
import { conversationCases } from './cases/conversation.ts'
import { courseCases } from './cases/course.ts'
import { failureCases } from './cases/failure.ts'
import { type Course, createHostOpener, type HostCase } from './create-host-harness.ts'
import type { HostTarget } from './host-target.ts'
import { runCourse } from './run-course.ts'

/** The time limit of a host's call, in milliseconds: frameworks load slowly on a busy machine. */
const SETTLE_MS = 60_000
/** The same for a host that was found hanging: a call of it makes many requests. */
const SETTLE_AGAIN_MS = 2_000

/** Settings for a run of the suite. Authors never need them. */
export interface HostPlanOptions {
  /** The time limit of a host's call, in milliseconds. Default 60,000. */
  readonly limitMs?: number
}

/** Every case of the suite for hosts, in the order of their ids. */
export const hostCases: readonly HostCase[] = [
  ...courseCases,
  ...failureCases,
  ...conversationCases,
].toSorted((one, other) => one.id.localeCompare(other.id))

/**
 * Plans the suite for an adapter: each case, or the reason why it is left out.
 *
 * @throws TypeError for what is no target.
 */
export function planHost(
  target: HostTarget,
  { limitMs = SETTLE_MS }: HostPlanOptions = {},
): PlannedCase<HostCase>[] {
  const { name, open } = Object(target) as Partial<HostTarget>
  if (typeof name !== 'string' || typeof open !== 'function')
    throw new TypeError(
      'testHost() needs { name, open }: what to call the host, and how to open a conversation',
    )
  const patience = createPatience(limitMs, SETTLE_AGAIN_MS)
  let course: Promise<Course> | undefined
  const runOnce = async (): Promise<Course> => {
    const { opener, cleanUp } = createHostOpener(target, patience)
    return runCourse(opener).finally(cleanUp)
  }
  return hostCases.map((entry) => ({
    entry,
    skip: target.skip?.[entry.id],
    async run() {
      const { opener, cleanUp } = createHostOpener(target, patience)
      const harness = {
        ...opener,
        course() {
          course ??= runOnce()
          return course
        },
      }
      await entry.run(harness).finally(cleanUp)
      return []
    },
  }))
}
