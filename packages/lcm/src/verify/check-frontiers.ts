import { isInstructionRole } from '../history/check-frontier.ts'
import { versionsOf } from '../history/frontier-at.ts'
import { countLive, isReplaced } from '../history/replaced-ranges.ts'
import type { FrontierVersion } from '../store/frontier.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import type { CheckContext } from './check-messages.ts'
import { readOrReport } from './read-or-report.ts'

/**
 * Every version is there, and its list is an unbroken run from the first message that is no instruction; the current
 * one covers live messages only, so that each stands either in it once or behind it.
 */
export async function checkFrontiers(context: CheckContext): Promise<void> {
  const { session, head, list } = context
  const start = await firstCoverable(context)
  let expected = head.version
  let nextSeq = head.nextSeq
  for await (const version of versionsOf(session)) {
    // A version that came after the head was read belongs to another check.
    if (version.version > head.version) continue
    const ref = `v${version.version}`
    for (; expected > version.version; expected--) reportMissing(expected, list)
    expected = version.version - 1
    if (version.nextSeq > nextSeq)
      list.add('version-order', `version ${version.version} is newer than the one after it`, ref)
    nextSeq = Math.min(nextSeq, version.nextSeq)
    if ((version.reason === 'start') !== (version.version === 0))
      list.add(
        'version-reason',
        `version ${version.version} came to be by a ${version.reason}, which cannot be`,
        ref,
      )
    const found = await readOrReport(
      () => session.frontier(version.version),
      (reason) =>
        list.add('frontier-unreadable', `version ${version.version} cannot be read: ${reason}`, ref),
    )
    if (found === undefined) continue
    checkRun(context, version, found.nodes, start)
    if (version.version === head.version) checkCurrent(context, found.nodes, start)
  }
  for (; expected >= 0; expected--) reportMissing(expected, list)
}

function reportMissing(version: number, list: CheckContext['list']): void {
  list.add('version-missing', `version ${version} of the frontier is not there`, `v${version}`)
}

function checkRun(
  { head, list }: CheckContext,
  { version, nextSeq }: FrontierVersion,
  nodes: readonly SummaryNode[],
  start: number,
): void {
  const ref = `v${version}`
  let previous: SummaryNode | undefined
  for (const node of nodes) {
    const from = previous === undefined ? start : previous.last + 1
    if (previous !== undefined && node.first <= previous.last)
      list.add(
        'frontier-overlap',
        `s${previous.number} and s${node.number} overlap in version ${version}`,
        ref,
      )
    // Messages replaced since stood in no other summary.
    else if (countLive(head.replaced, from, node.first - 1) > 0)
      list.add('frontier-gap', `messages before s${node.number} are in no summary of version ${version}`, ref)
    previous = node
  }
  if (previous !== undefined && previous.last >= nextSeq)
    list.add('frontier-end', `version ${version} covers m${previous.last}, which came after it`, ref)
}

function checkCurrent({ head, list }: CheckContext, nodes: readonly SummaryNode[], start: number): void {
  const [oldest] = nodes
  if (oldest !== undefined && oldest.first < start)
    list.add(
      'frontier-start',
      `the frontier begins at m${oldest.first}, not at m${start}`,
      `s${oldest.number}`,
    )
  for (const { number, first, last, messages } of nodes) {
    const live = countLive(head.replaced, first, last)
    if (live !== messages || isReplaced(head.replaced, first) || isReplaced(head.replaced, last))
      list.about(`s${number}`, 'frontier-replaced', 'is in the frontier, but messages of it were replaced')
  }
}

/** The first live message that is no instruction; behind the last one when there is none. */
async function firstCoverable({ session, head }: CheckContext): Promise<number> {
  let first = 0
  while (first < head.nextSeq) {
    // One that cannot be read is a fault of the message, and where a frontier begins cannot be known.
    const found = await readOrReport(
      () => session.messages({ first, limit: 1 }),
      () => {},
    )
    if (found === undefined) return first
    const [message] = found
    if (message === undefined) return head.nextSeq
    if (!isInstructionRole(message.role)) return message.seq
    first = message.seq + 1
  }
  return first
}
