import { useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { createContextAt } from '../../data/context-at.ts'

/** Indexes in `messages` of what a session showed the model at a request; empty behind its end. */
export function useContextAt({ requests }: SessionView, request: number): readonly number[] {
  const contextAt = useMemo(() => createContextAt(requests), [requests])
  return useMemo(() => contextAt(request), [contextAt, request])
}
