import { Tree, type TreeNodeData, useTree } from '@mantine/core'
import { type KeyboardEvent, useMemo } from 'react'
import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './summaries.module.css'
import { levelOf, previewOf, rangeOf, type SummaryIndex, sizeOf } from './summary-index.ts'

interface SummaryTreeProps {
  readonly index: SummaryIndex
  readonly selected: string | null
  readonly open: ReadonlySet<string>
  readonly hits: ReadonlyMap<string, number> | null
  readonly onSelect: (id: string) => void
  readonly onOpen: (open: ReadonlySet<string>) => void
}

export function SummaryTree({ index, selected, open, hits, onSelect, onOpen }: SummaryTreeProps) {
  const data = useMemo(() => index.roots.map((root) => toTree(root, index, new Set())), [index])
  const tree = useTree({
    expandedState: Object.fromEntries([...open].map((id) => [id, true])),
    onExpandedStateChange: (state) => onOpen(new Set(Object.keys(state).filter((id) => state[id]))),
    selectedState: selected === null ? [] : [selected],
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event
    const id = target instanceof HTMLElement ? target.dataset.value : undefined
    if (event.key === 'Enter' && id !== undefined) onSelect(id)
  }
  return (
    <Tree
      data={data}
      tree={tree}
      levelOffset={18}
      expandOnClick={false}
      allowRangeSelection={false}
      aria-label="Summaries. Arrow keys walk and open, Enter shows the text."
      className={classes.tree}
      onKeyDown={onKeyDown}
      renderNode={({ node, elementProps, hasChildren, expanded }) => {
        const summary = index.byId.get(node.value)
        if (summary === undefined) return null
        const found = hits?.get(summary.id) ?? 0
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the tree item around it has the focus and the keys
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            {...elementProps}
            className={`${elementProps.className} ${classes.row}`}
            data-node={summary.id}
            data-shown={summary.isShown || undefined}
            data-dim={(hits !== null && found === 0) || undefined}
            onClick={(event) => {
              elementProps.onClick(event)
              onSelect(summary.id)
            }}
          >
            <button
              type="button"
              tabIndex={-1}
              className={classes.rowToggle}
              style={{ visibility: hasChildren ? 'visible' : 'hidden' }}
              aria-label={expanded ? 'Close' : 'Open'}
              onClick={(event) => {
                event.stopPropagation()
                tree.toggleExpanded(summary.id)
              }}
            >
              {expanded ? '−' : '+'}
            </button>
            <SummaryLabel node={summary} hits={found} />
          </div>
        )
      }}
    />
  )
}

/** Each summary once, also when two were made from it: the tree's lines are known by their ids. */
function toTree(node: ViewSummaryNode, index: SummaryIndex, seen: Set<string>): TreeNodeData {
  seen.add(node.id)
  const children = index.childrenOf(node).filter(({ id }) => !seen.has(id))
  return {
    value: node.id,
    label: node.id,
    ...(children.length > 0 && { children: children.map((child) => toTree(child, index, seen)) }),
  }
}

interface SummaryLabelProps {
  readonly node: ViewSummaryNode
  readonly hits: number
}

export function SummaryLabel({ node, hits }: SummaryLabelProps) {
  return (
    <span className={classes.label}>
      <span className={classes.labelHead}>
        <strong>{rangeOf(node)}</strong>
        <span>{levelOf(node)}</span>
        {node.isShown && <span className={classes.shown}>in the context</span>}
        {hits > 0 && <span className={classes.hits}>{hits}</span>}
      </span>
      <span className={classes.labelSize}>{sizeOf(node)} tokens</span>
      <span className={classes.labelText} data-preview="">
        <PlainText text={previewOf(node.text)} />
      </span>
    </span>
  )
}
