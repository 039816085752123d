import { Badge } from '@mantine/core'
import type { Loaded, PageSource } from '../data/page-source.ts'
import { useStore } from '../data/store.ts'

export interface ConnectionBadgeProps {
  readonly source: PageSource
  /** Undefined: of the list of sessions. */
  readonly session: string | undefined
}

const COLORS = { Live: 'teal', Ended: 'gray', Gone: 'gray', Reconnecting: 'orange' }

/** Whether what is shown goes on by itself. A page in a file says nothing: it is what it is. */
export function ConnectionBadge({ source, session }: ConnectionBadgeProps) {
  const shown = useStore<Loaded<unknown>>(session === undefined ? source.sessions : source.open(session))
  const sessions = useStore(source.sessions)
  if (!source.isLive || shown.status === 'locked' || shown.status === 'loading') return null
  const known = sessions.status === 'ready' ? sessions.value.find(({ id }) => id === session) : undefined
  const word = wordFor(shown, known?.isLive !== false)
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
