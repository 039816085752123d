import { useWindowEvent } from '@mantine/hooks'

/** Calls back for these keys wherever the focus is, unless somebody is writing or a control has used the key. */
export function useKeys(keys: readonly string[], onKey: (key: string) => void): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (!keys.includes(event.key) || isWriting(event.target)) return
    event.preventDefault()
    onKey(event.key)
  })
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
