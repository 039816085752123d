import type { ViewSummary } from './session-view.ts'
import type { ViewRecorder } from './view-recorder.ts'

/** Views that are kept at once; the one that was quiet for longest goes first. */
const MAX_VIEWS = 64

export function createRecordedSessions() {
  // In the order of their last change: the newest at the end.
  const views = new Map<string, ViewRecorder>()
  const listeners = new Set<() => void>()
  const putFirst = (recorder: ViewRecorder) => {
    views.delete(recorder.id)
    views.set(recorder.id, recorder)
    for (const oldest of [...views.keys()].slice(0, Math.max(0, views.size - MAX_VIEWS))) views.delete(oldest)
    for (const listener of listeners) listener()
  }
  return {
    add(recorder: ViewRecorder): void {
      recorder.subscribe(() => {
        // One that had to go while it was quiet comes back; one that was replaced does not.
        if ((views.get(recorder.id) ?? recorder) === recorder) putFirst(recorder)
      })
      putFirst(recorder)
    },
    find: (id: string): ViewRecorder | undefined => views.get(id),
    list: (): ViewSummary[] => [...views.values()].reverse().map((view) => view.summary()),
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
