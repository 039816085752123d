import { EMPTY_FRAME, readFrame, type SummaryFrame } from '@palimpsest/summaries'
import type { SummaryNode } from '../store/summary-node.ts'

const frames = new WeakMap<SummaryNode, SummaryFrame>()

/** The parts of a summary's text, read once. Empty for one that was forgotten, and for one that only points at messages. */
export function frameOf(node: SummaryNode): SummaryFrame {
  let frame = frames.get(node)
  if (frame === undefined) {
    const says = node.forgotten === undefined && node.writer !== 'pointer'
    frame = says ? readFrame(node.text) : EMPTY_FRAME
    frames.set(node, frame)
  }
  return frame
}

/** Tokens of a summary's text; 0 when it was deleted. */
export function storedTokens({ tokens, forgotten }: SummaryNode): number {
  return forgotten === undefined ? tokens : 0
}

/** A summary for a summariser to read: a model's record, else what the user said. */
export function materialOf(node: SummaryNode): string {
  const { record, said } = frameOf(node)
  return record || said.join('\n')
}
