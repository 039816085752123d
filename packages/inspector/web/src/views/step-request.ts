const PAGE = 10

type Steps = Readonly<Record<string, number>>

/** On an axis: what is further is right or up. */
const AXIS: Steps = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -PAGE,
  PageUp: PAGE,
  Home: -Infinity,
  End: Infinity,
}

const LIST: Steps = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -PAGE,
  PageDown: PAGE,
  Home: -Infinity,
  End: Infinity,
}

export const stepColumn = (key: string, request: number, count: number) => step(AXIS, key, request, count)

export const stepRow = (key: string, request: number, count: number) => step(LIST, key, request, count)

function step(steps: Steps, key: string, request: number, count: number): number | undefined {
  const by = steps[key]
  return by === undefined ? undefined : Math.max(0, Math.min(count - 1, request + by))
}
