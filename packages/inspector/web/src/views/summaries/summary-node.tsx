import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { createContext, useContext } from 'react'
import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { formatAmount } from '../../format.ts'
import { nodeSize } from './layout-summaries.ts'
import classes from './summaries.module.css'
import { SummaryLabel } from './summary-label.tsx'

export interface GraphState {
  readonly selected: string | null
  readonly active: string | null
  readonly open: ReadonlySet<string>
  readonly hits: ReadonlyMap<string, number> | null
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

export const GraphContext = createContext<GraphState | null>(null)

export type SummaryFlowNode = Node<{ readonly node: ViewSummaryNode }, 'summary'>

export function elementIdOf(id: string): string {
  return `summary-${encodeURIComponent(id)}`
}

export function SummaryNode({ data: { node } }: NodeProps<SummaryFlowNode>) {
  const state = useContext(GraphContext)
  if (state === null) return null
  const hits = state.hits?.get(node.id) ?? 0
  const isOpen = state.open.has(node.id)
  return (
    <>
      <Handle type="target" position={Position.Left} className={classes.handle} />
      <button
        type="button"
        id={elementIdOf(node.id)}
        className={classes.node}
        style={nodeSize}
        tabIndex={-1}
        aria-pressed={state.selected === node.id}
        data-node={node.id}
        data-shown={node.isShown || undefined}
        data-active={state.active === node.id || undefined}
        data-dim={(state.hits !== null && hits === 0) || undefined}
        onClick={() => state.onSelect(node.id)}
      >
        <SummaryLabel node={node} hits={hits} />
      </button>
      {node.children.length > 0 && (
        <button
          type="button"
          tabIndex={-1}
          className={`${classes.toggle} nopan`}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${formatAmount(node.children.length, 'summary', 'summaries')}`}
          onClick={() => state.onToggle(node.id)}
        >
          {isOpen ? '−' : `+${node.children.length}`}
        </button>
      )}
      <Handle type="source" position={Position.Right} className={classes.handle} />
    </>
  )
}
