import { withinLimit } from '../harness/processor-time.ts'
import type { PlannedCase } from '../run-suite.ts'
import { conversationCases } from './cases/conversation.ts'
import { courseCases } from './cases/course.ts'
import { failureCases } from './cases/failure.ts'
import { type Course, createHostOpener, type HostCase } from './create-host-harness.ts'
import type { HostTarget } from './host-target.ts'
import { runCourse } from './run-course.ts'

/** The time limit of a case, in milliseconds on the processor or of waiting. */
export const HOST_CASE_TIMEOUT_MS = 180_000

/** Every case of the suite for hosts, in the order of their ids. */
export const hostCases: readonly HostCase[] = [
  ...courseCases,
  ...failureCases,
  ...conversationCases,
].toSorted((one, other) => one.id.localeCompare(other.id))

/**
 * Plans the suite for an adapter: each case, or the reason for skipping it.
 *
 * @param limitMs Time limit of a case, in milliseconds. Default 180,000.
 * @throws TypeError for an invalid target.
 */
export function planHost(
  target: HostTarget,
  limitMs: number = HOST_CASE_TIMEOUT_MS,
): PlannedCase<HostCase>[] {
  const { name, open } = Object(target) as Partial<HostTarget>
  if (typeof name !== 'string' || typeof open !== 'function')
    throw new TypeError(
      'testHost() needs { name, open }: what to call the host, and how to open a conversation',
    )
  let course: Promise<Course> | undefined
  const runOnce = async (): Promise<Course> => {
    const { opener, cleanUp } = createHostOpener(target)
    return withinLimit(runCourse(opener), limitMs).finally(cleanUp)
  }
  return hostCases.map((entry) => ({
    entry,
    skip: target.skip?.[entry.id],
    async run() {
      const { opener, cleanUp } = createHostOpener(target)
      const harness = {
        ...opener,
        course() {
          course ??= runOnce()
          return course
        },
      }
      await withinLimit(entry.run(harness), limitMs).finally(cleanUp)
    },
  }))
}
