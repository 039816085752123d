import { useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { formatCount } from '../../ui/format-count.ts'
import type { ViewProps } from '../../view-props.ts'
import { EventList } from './event-list.tsx'

/** Everything that went less well than it could have, and what was done instead. */
export function WarningList({ view, go }: { readonly view: SessionView; readonly go: ViewProps['go'] }) {
  const events = useMemo(
    () =>
      view.warnings.map(({ request, code, message }, place) => ({
        place,
        request,
        label: `Request ${formatCount(request + 1)}`,
        text: `${message} (${code})`,
      })),
    [view.warnings],
  )
  return (
    <EventList
      name="warning"
      events={events}
      empty="Nothing went wrong."
      requests={view.requests.length}
      go={go}
    />
  )
}
