import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { SessionView, ViewRequest } from '../../../../src/view/session-view.ts'
import { KINDS, promptTokens } from '../../data/session-figures.ts'
import { answerTo, isTimed } from '../../data/transcript-rows.ts'
import { formatCount, formatDuration, formatUsd } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { tokenKinds } from '../../ui/colors.ts'
import classes from './timeline.module.css'

interface RequestColumn {
  readonly name: string
  readonly label: string
  readonly value: (request: ViewRequest, view: SessionView, index: number) => number | null
  readonly format: (value: number) => string
}

const CACHE_PARTS = [
  ['read', 'Read'],
  ['written', 'Written'],
  ['uncached', 'Uncached'],
] as const

const REQUEST_COLUMNS: readonly RequestColumn[] = [
  ...KINDS.map((kind) => ({
    name: kind,
    label: tokenKinds[kind].label,
    value: ({ tokens }: ViewRequest) => tokens[kind],
    format: formatCount,
  })),
  { name: 'prompt', label: 'Prompt', value: promptTokens, format: formatCount },
  { name: 'without', label: 'Without', value: ({ without }) => without, format: formatCount },
  ...CACHE_PARTS.map(([name, label]) => ({
    name,
    label,
    value: ({ cache }: ViewRequest) => cache?.[name] ?? null,
    format: formatCount,
  })),
  { name: 'usd', label: 'Dollars', value: ({ cache }) => cache?.usd ?? null, format: formatUsd },
  {
    name: 'took',
    label: 'Answered in',
    value: (_, view, index) => answerTo(view, index)?.took ?? null,
    format: formatDuration,
  },
]

const UNTIMED_COLUMNS = REQUEST_COLUMNS.filter(({ name }) => name !== 'took')

const ROW = 26

interface RequestTableProps {
  readonly view: SessionView
  readonly selected: number
  readonly go: ViewProps['go']
}

export function RequestTable({ view, selected, go }: RequestTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const columns = isTimed(view) ? REQUEST_COLUMNS : UNTIMED_COLUMNS
  const rows = useVirtualizer({
    count: view.requests.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    scrollPaddingStart: ROW,
    overscan: 12,
  })
  useEffect(() => {
    rows.scrollToIndex(selected, { align: 'auto' })
  }, [rows, selected])
  const shown = rows.getVirtualItems()
  const above = shown[0]?.start ?? 0
  const below = rows.getTotalSize() - (shown.at(-1)?.end ?? 0)
  return (
    <section
      ref={scroller}
      className={classes.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Numbers of the requests"
    >
      <table className={classes.table} aria-rowcount={view.requests.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Request</th>
            {columns.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={above} />
          {shown.map(({ index }) => (
            <tr
              key={index}
              aria-rowindex={index + 2}
              aria-current={index === selected ? 'true' : undefined}
              data-testid={`request-${index + 1}`}
            >
              <th scope="row">
                <TextButton
                  aria-label={`The context of request ${index + 1}`}
                  onClick={() => go({ page: 'context', request: index })}
                >
                  {formatCount(index + 1)}
                </TextButton>
              </th>
              {columns.map(({ name, value, format }) => {
                const request = view.requests[index]
                const number = request ? value(request, view, index) : null
                return (
                  <td key={name} data-testid={`request-${index + 1}-${name}`} data-value={number ?? ''}>
                    {number === null ? '–' : format(number)}
                  </td>
                )
              })}
            </tr>
          ))}
          <Gap height={below} />
        </tbody>
      </table>
    </section>
  )
}

const Gap = ({ height }: { readonly height: number }) =>
  height > 0 && (
    <tr>
      <td className={classes.gap} colSpan={REQUEST_COLUMNS.length + 1} style={{ height }} />
    </tr>
  )
