import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import classes from './ui.module.css'

interface VirtualListProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string | number
  readonly estimate: (item: Item) => number
  readonly render: (item: Item) => ReactNode
  readonly jump?: { readonly position: number; readonly align?: 'auto' } | null
  readonly label: string
  readonly height: CSSProperties['height']
  readonly followsEnd?: boolean
}

const END = 32

/**
 * A list of any length of which only the visible part is in the document. Focusable, for scrolling with the keyboard.
 */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, keyOf, estimate, render, jump, label, height, followsEnd = false } = props
  const [kept] = useState(() => new Map<string, unknown>())
  const scroller = useRef<HTMLElement>(null)
  // With a new function per render, the library would ask for every item's height again while scrolling.
  const getItemKey = useCallback(
    (position: number) => withItem(items, position, keyOf, position),
    [items, keyOf],
  )
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (position) => withItem(items, position, estimate, 0),
    getItemKey,
    overscan: 4,
    useFlushSync: false,
    ...(followsEnd && { anchorTo: 'end', followOnAppend: true, scrollEndThreshold: END }),
  })
  useEffect(() => {
    if (jump && jump.position >= 0) virtualizer.scrollToIndex(jump.position, { align: jump.align ?? 'start' })
  }, [jump, virtualizer])
  return (
    <section
      ref={scroller}
      className={classes.list}
      style={{ height }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      onKeyDown={(event) => {
        const isOwn = event.target === event.currentTarget && (event.key === 'Home' || event.key === 'End')
        if (!isOwn) return
        // The browser knows only estimated heights.
        event.preventDefault()
        if (event.key === 'Home') virtualizer.scrollToIndex(0)
        else virtualizer.scrollToIndex(items.length - 1, { align: 'end' })
      }}
    >
      <KeptState value={kept}>
        <ul className={classes.listInner} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((row) => (
            <li
              key={row.key}
              ref={virtualizer.measureElement}
              className={classes.listRow}
              style={{ transform: `translateY(${row.start}px)` }}
              data-index={row.index}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
            >
              {withItem(items, row.index, render, null)}
            </li>
          ))}
        </ul>
      </KeptState>
    </section>
  )
}

function withItem<Item, Value>(
  items: readonly Item[],
  position: number,
  use: (item: Item) => Value,
  otherwise: Value,
): Value {
  const item = items[position]
  return item === undefined ? otherwise : use(item)
}

const KeptState = createContext<Map<string, unknown> | null>(null)

/** State that survives while its item is scrolled out of view, by a name that is unique in the list. */
export function useKept<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const kept = useContext(KeptState)
  const [state, setState] = useState(() => ({ name, value: (kept?.get(name) ?? initial) as Value }))
  const set = (value: Value) => {
    kept?.set(name, value)
    setState({ name, value })
  }
  return [state.name === name ? state.value : initial, set]
}
