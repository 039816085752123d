/** Requests that Page Up and Page Down go on. */
const PAGE = 10

/** Where a key leads to from a request of so many; undefined when it leads nowhere. */
export function stepRequest(key: string, request: number, count: number): number | undefined {
  const to = target(key, request, count)
  return to === undefined ? undefined : Math.max(0, Math.min(count - 1, to))
}

function target(key: string, request: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return request - 1
    case 'ArrowRight':
    case 'ArrowUp':
      return request + 1
    case 'PageDown':
      return request - PAGE
    case 'PageUp':
      return request + PAGE
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
