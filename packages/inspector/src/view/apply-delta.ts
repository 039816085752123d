import type { SessionView, ViewDelta, ViewListDelta } from './session-view.ts'

/**
 * A view with what is new in it. Pure: the view that is given stays as it is.
 *
 * @throws RangeError for a delta that begins behind the end of the view, or is of another one: the whole is needed again.
 */
export function applyDelta(view: SessionView, delta: ViewDelta): SessionView {
  if (delta.id !== view.id) throw new RangeError('the delta is of another view')
  return {
    ...view,
    ...delta.facts,
    messages: append(view.messages, delta.messages),
    requests: append(view.requests, delta.requests),
    compactions: append(view.compactions, delta.compactions),
    warnings: append(view.warnings, delta.warnings),
  }
}

/** The same list when there is nothing new in it. */
function append<T>(list: readonly T[], { from, items }: ViewListDelta<T>): readonly T[] {
  if (from > list.length) throw new RangeError('the delta begins behind the end of the view')
  return from === list.length && items.length === 0 ? list : [...list.slice(0, from), ...items]
}
