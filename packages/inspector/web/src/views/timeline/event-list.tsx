import { PlainText } from '../../ui/plain-text.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import type { ViewProps } from '../../view-props.ts'
import classes from './timeline.module.css'

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
export function EventList({ name, events, empty, requests, go }: EventListProps) {
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
          <button
            type="button"
            className={classes.link}
            disabled={request >= requests}
            onClick={() => go({ page: 'context', request })}
          >
            {label}
          </button>
          <PlainText text={text} />
        </div>
      )}
    />
  )
}
