import { Tabs } from '@mantine/core'
import { memo, useMemo } from 'react'
import type { SessionView, ViewWarning } from '../../../../src/view/session-view.ts'
import { describeCompaction, formatCount } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { RequestTable } from './request-table.tsx'
import classes from './timeline.module.css'

interface NumbersProps {
  readonly view: SessionView
  readonly selected: number
  readonly go: ViewProps['go']
}

export const Numbers = memo(function Numbers({ view, selected, go }: NumbersProps) {
  return (
    <section className="panel" aria-label="The numbers">
      <Tabs defaultValue="requests" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="requests">Requests {formatCount(view.requests.length)}</Tabs.Tab>
          <Tabs.Tab value="compactions">Compactions {formatCount(view.compactions.length)}</Tabs.Tab>
          <Tabs.Tab value="warnings">Warnings {formatCount(view.warnings.length)}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="requests">
          <RequestTable view={view} selected={selected} go={go} />
        </Tabs.Panel>
        <Tabs.Panel value="compactions">
          <EventList
            name="compaction"
            events={view.compactions}
            describe={describeCompaction}
            empty="Nothing was compacted."
            requests={view.requests.length}
            go={go}
          />
        </Tabs.Panel>
        <Tabs.Panel value="warnings">
          <EventList
            name="warning"
            events={view.warnings}
            describe={describeWarning}
            empty="Nothing went wrong."
            requests={view.requests.length}
            go={go}
          />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
})

const describeWarning = ({ code, message }: ViewWarning) => `${message} (${code})`

interface EventListProps<Event> {
  readonly name: string
  readonly events: readonly Event[]
  readonly describe: (event: Event) => string
  readonly empty: string
  readonly requests: number
  readonly go: ViewProps['go']
}

function EventList<Event extends { readonly request: number }>(props: EventListProps<Event>) {
  const { name, events, describe, empty, requests, go } = props
  const lines = useMemo(() => events.map((event, place) => ({ place, event })), [events])
  if (events.length === 0) return <p className={classes.empty}>{empty}</p>
  return (
    <VirtualList
      items={lines}
      keyOf={keyOf}
      estimate={() => 30}
      height={320}
      label={`${name}s`}
      render={({ place, event }) => (
        <div className={classes.event} data-testid={`${name}-${place + 1}`}>
          <TextButton
            disabled={event.request >= requests}
            onClick={() => go({ page: 'context', request: event.request })}
          >
            Request {formatCount(event.request + 1)}
          </TextButton>
          <PlainText text={describe(event)} />
        </div>
      )}
    />
  )
}

const keyOf = ({ place }: { readonly place: number }) => place
