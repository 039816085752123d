import type { MessagePlace } from './message-place.ts'
import classes from './transcript.module.css'

const words: Readonly<Record<Exclude<MessagePlace['kind'], 'summarised'>, string>> = {
  shown: 'in the context',
  'in-part': 'in the context in part',
  new: 'since the last request',
  absent: 'not in the context',
}

interface PlaceMarkProps {
  readonly place: MessagePlace
  readonly onNode: (id: string) => void
}

/** Whether the model sees a message now; what stands behind a summary leads there. */
export function PlaceMark({ place, onNode }: PlaceMarkProps) {
  if (place.kind === 'summarised') {
    const { id } = place.node
    return (
      <button type="button" className={classes.place} data-place="summarised" onClick={() => onNode(id)}>
        behind a summary
      </button>
    )
  }
  return (
    <span className={classes.place} data-place={place.kind}>
      {words[place.kind]}
    </span>
  )
}
