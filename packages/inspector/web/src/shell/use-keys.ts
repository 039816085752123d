import { useWindowEvent } from '@mantine/hooks'

export function useKeys(keys: readonly string[], onKey: (key: string) => void): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (!keys.includes(event.key) || isForControl(event.key, event.target)) return
    event.preventDefault()
    onKey(event.key)
  })
}

function isForControl(key: string, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('input[type="radio"], input[type="checkbox"]')) return key.startsWith('Arrow')
  return target.matches('input, textarea, select')
}
