import { useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { formatCount } from '../../ui/format-count.ts'
import type { ViewProps } from '../../view-props.ts'
import { describeCompaction } from './describe-compaction.ts'
import { EventList } from './event-list.tsx'

/** Every compaction: for which request, why, from how many tokens to how many, and what was kept. */
export function CompactionList({ view, go }: { readonly view: SessionView; readonly go: ViewProps['go'] }) {
  const events = useMemo(
    () =>
      view.compactions.map((compaction, place) => ({
        place,
        request: compaction.request,
        label: `Request ${formatCount(compaction.request + 1)}`,
        text: describeCompaction(compaction),
      })),
    [view.compactions],
  )
  return (
    <EventList
      name="compaction"
      events={events}
      empty="Nothing was compacted."
      requests={view.requests.length}
      go={go}
    />
  )
}
