import { Tabs } from '@mantine/core'
import { memo, useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { formatCount } from '../../format.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { TextButton } from '../../ui/text-button.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import type { ViewProps } from '../../view-props.ts'
import { describeCompaction } from './describe-compaction.ts'
import { RequestTable } from './request-table.tsx'
import classes from './timeline.module.css'

interface NumbersProps {
  readonly view: SessionView
  readonly selected: number
  readonly go: ViewProps['go']
}

/** The charts as text: every number of every request, the compactions, and what went wrong. */
export const Numbers = memo(function Numbers({ view, selected, go }: NumbersProps) {
  return (
    <section className={classes.panel} aria-label="The numbers">
      <Tabs defaultValue="requests" keepMounted={false} classNames={{ tab: classes.numbersTab }}>
        <Tabs.List>
          <Tabs.Tab value="requests">Requests {formatCount(view.requests.length)}</Tabs.Tab>
          <Tabs.Tab value="compactions">Compactions {formatCount(view.compactions.length)}</Tabs.Tab>
          <Tabs.Tab value="warnings">Warnings {formatCount(view.warnings.length)}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="requests">
          <RequestTable view={view} selected={selected} go={go} />
        </Tabs.Panel>
        <Tabs.Panel value="compactions">
          <CompactionList view={view} go={go} />
        </Tabs.Panel>
        <Tabs.Panel value="warnings">
          <WarningList view={view} go={go} />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
})

/** Every compaction: for which request, why, from how many tokens to how many, and what was kept. */
function CompactionList({ view, go }: { readonly view: SessionView; readonly go: ViewProps['go'] }) {
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

/** Everything that went less well than it could have, and what was done instead. */
function WarningList({ view, go }: { readonly view: SessionView; readonly go: ViewProps['go'] }) {
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

/** Something that happened for a request. */
interface RequestEvent {
  /** Place in the list, from 0. */
  readonly place: number
  /** Index in `requests`, which may be yet to come. */
  readonly request: number
  readonly label: string
  readonly text: string
}

const keyOf = ({ place }: RequestEvent) => place

interface EventListProps {
  /** What it is called, and what a test finds its lines by. */
  readonly name: string
  readonly events: readonly RequestEvent[]
  /** What stands there when there are none. */
  readonly empty: string
  /** How many requests there are. */
  readonly requests: number
  readonly go: ViewProps['go']
}

/** A list of what happened, each with the way to the context of its request. */
function EventList({ name, events, empty, requests, go }: EventListProps) {
  if (events.length === 0) return <p className={classes.empty}>{empty}</p>
  return (
    <VirtualList
      items={events}
      keyOf={keyOf}
      estimate={() => 30}
      height={320}
      label={`${name}s`}
      render={({ place, request, label, text }) => (
        <div className={classes.event} data-testid={`${name}-${place + 1}`}>
          <TextButton disabled={request >= requests} onClick={() => go({ page: 'context', request })}>
            {label}
          </TextButton>
          <PlainText text={text} />
        </div>
      )}
    />
  )
}
