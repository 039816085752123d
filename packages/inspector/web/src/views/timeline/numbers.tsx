import { Tabs } from '@mantine/core'
import { memo, useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
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
  const { requests, compactions, warnings } = view
  const events = useMemo(
    () =>
      [
        ...compactions.map((made) => ({ request: made.request, text: describeCompaction(made) })),
        ...warnings.map(({ request, code, message }) => ({ request, text: `${message} (${code})` })),
      ]
        .sort((a, b) => a.request - b.request)
        .map((event, place) => ({ ...event, place })),
    [compactions, warnings],
  )
  return (
    <section className="panel" aria-label="The numbers">
      <Tabs defaultValue="requests" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="requests">Requests {formatCount(requests.length)}</Tabs.Tab>
          <Tabs.Tab value="events">
            Compactions {formatCount(compactions.length)}, warnings {formatCount(warnings.length)}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="requests">
          <RequestTable view={view} selected={selected} go={go} />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <VirtualList
            items={events}
            keyOf={keyOf}
            estimate={() => 30}
            height={320}
            label="Compactions and warnings"
            render={({ place, request, text }) => (
              <div className={classes.event} data-testid={`event-${place + 1}`}>
                <TextButton
                  disabled={request >= requests.length}
                  onClick={() => go({ page: 'context', request })}
                >
                  Request {formatCount(request + 1)}
                </TextButton>
                <PlainText text={text} />
              </div>
            )}
          />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
})

const keyOf = ({ place }: { readonly place: number }) => place
