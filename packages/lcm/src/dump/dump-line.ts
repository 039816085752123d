import type { DumpRecord } from '../store/dump-record.ts'
import type { SummaryNode } from '../store/summary-node.ts'

/**
 * A record as a line of JSON. The members have one order, whatever the store gives: the same content is the same
 * bytes.
 */
export function dumpLine(record: DumpRecord): string {
  return JSON.stringify(ordered(record))
}

function ordered(record: DumpRecord): DumpRecord {
  if (record.type === 'summary') return { type: 'summary', ...orderedNode(record) }
  if (record.type === 'frontier') {
    const { type, version, reason, nextSeq, at, summaries } = record
    return { type, version, reason, nextSeq, at, summaries }
  }
  if (record.type === 'session') {
    const { type, principal, key, createdAt, parent, nextSeq, nextSummary, version, replaced } = record
    return {
      ...{ type, principal, key, createdAt },
      ...(parent && { parent: { key: parent.key, seq: parent.seq, summary: parent.summary } }),
      ...{ nextSeq, nextSummary, version, replaced: replaced.map(({ first, last }) => ({ first, last })) },
    }
  }
  const { type, seq, role, hostId, at, tokens, hash, json, forgotten } = record
  return {
    ...{ type, seq, role },
    ...(hostId !== undefined && { hostId }),
    ...{ at, tokens, hash, json },
    ...(forgotten && { forgotten: { at: forgotten.at, reason: forgotten.reason } }),
  }
}

/** A copy of a summary: its own members and no others, in one order. */
export function orderedNode(node: SummaryNode): SummaryNode {
  const { number, depth, first, last, messages, children, text, tokens, sourceTokens, writer } = node
  const { at, from, to, hash, forgotten } = node
  return {
    ...{ number, depth, first, last, messages, children: [...children], text, tokens, sourceTokens, writer },
    ...{ at, from, to, hash },
    ...(forgotten && { forgotten: { at: forgotten.at, reason: forgotten.reason } }),
  }
}
