import type { ViewRequest } from '../../../src/view/session-view.ts'

/** A whole context is kept for every so many requests; those between are walked to from there. */
const CHECKPOINT_EVERY = 64

type ContextAt = (index: number) => readonly number[]

type Change = Pick<ViewRequest, 'kept' | 'added'>

/** Makes the contexts of a session readable in any order: each costs at most `CHECKPOINT_EVERY` steps. */
export function createContextAt(requests: readonly Change[]): ContextAt {
  const checkpoints: (readonly number[])[] = []
  const current: number[] = []
  for (const [index, request] of requests.entries()) {
    step(current, request)
    if (index % CHECKPOINT_EVERY === 0) checkpoints.push([...current])
  }
  return (index) => {
    const checkpoint = checkpoints[Math.floor(index / CHECKPOINT_EVERY)]
    if (!checkpoint || index >= requests.length) return []
    const context = [...checkpoint]
    const from = Math.floor(index / CHECKPOINT_EVERY) * CHECKPOINT_EVERY + 1
    for (const request of requests.slice(from, index + 1)) step(context, request)
    return context
  }
}

function step(context: number[], { kept, added }: Change): void {
  context.length = Math.min(context.length, kept)
  for (const index of added) context.push(index)
}
