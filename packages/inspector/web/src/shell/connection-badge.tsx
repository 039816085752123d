import { Badge } from '@mantine/core'
import type { Loaded } from '../data/page-source.ts'
import { type Store, useStore } from '../data/store.ts'

const COLORS = { Live: 'teal', Ended: 'gray', Gone: 'gray', Reconnecting: 'orange' }

interface ConnectionBadgeProps {
  readonly store: Store<Loaded<unknown>>
  /** Whether more may come of it. */
  readonly goesOn: boolean
}

/** Whether what is shown goes on by itself. */
export function ConnectionBadge({ store, goesOn }: ConnectionBadgeProps) {
  const shown = useStore(store)
  if (shown.status === 'locked' || shown.status === 'loading') return null
  const word = wordFor(shown, goesOn)
  return (
    <Badge variant="dot" color={COLORS[word]} size="sm" role="status" data-testid="connection">
      {word}
    </Badge>
  )
}

function wordFor(shown: Loaded<unknown>, goesOn: boolean): keyof typeof COLORS {
  if (shown.status !== 'ready' || shown.connection === 'lost') return 'Reconnecting'
  if (shown.connection === 'gone') return 'Gone'
  return goesOn ? 'Live' : 'Ended'
}
