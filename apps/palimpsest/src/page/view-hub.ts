import { createViewRecorder } from '../view/create-view-recorder.ts'
import type { ViewSummary } from '../view/session-view.ts'
import type { ViewRecorder, ViewRecorderInput } from '../view/view-recorder.ts'

/** Views that are kept at once; the one that was quiet for longest goes first. */
const MAX_VIEWS = 64

/** The sessions that a page may look at while they run, and for a while afterwards. */
export interface ViewHub {
  /** Records a session from now on. A view of the same session's id is replaced. */
  watch(input: ViewRecorderInput): ViewRecorder
  find(id: string): ViewRecorder | undefined
  /** The newest activity first. */
  list(): ViewSummary[]
  /** Called when a view comes, goes or changes. Returns how to stop. */
  subscribe(listener: () => void): () => void
}

export function createViewHub(): ViewHub {
  // In the order of their last change: the newest at the end.
  const views = new Map<string, ViewRecorder>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  return {
    watch(input) {
      const recorder = createViewRecorder(input)
      const { id } = recorder
      const putFirst = () => {
        views.delete(id)
        views.set(id, recorder)
        for (const oldest of [...views.keys()].slice(0, Math.max(0, views.size - MAX_VIEWS)))
          views.delete(oldest)
        tell()
      }
      recorder.subscribe(() => {
        // One that had to go while it was quiet comes back; one that was replaced does not.
        if ((views.get(id) ?? recorder) === recorder) putFirst()
      })
      putFirst()
      return recorder
    },
    find: (id) => views.get(id),
    list: () => [...views.values()].reverse().map((view) => view.summary()),
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
