import {
  Controls,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  type Rect,
  useReactFlow,
  type Viewport,
} from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import {
  createContext,
  type KeyboardEvent,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { formatAmount } from '../../format.ts'
import { layoutSummaries, nodeSize, type PlacedSummary, type SummaryLayout } from './layout-summaries.ts'
import classes from './summaries.module.css'
import type { SummaryIndex } from './summary-index.ts'
import { SummaryLabel } from './summary-tree.tsx'

const room = 24

/** Moves a viewport as little as shows `target`; the same object when it is in sight already. Keeps the zoom. */
function bringIntoSight(
  viewport: Viewport,
  target: Rect,
  area: { readonly width: number; readonly height: number },
): Viewport {
  const { zoom } = viewport
  const x = shift(viewport.x + target.x * zoom, target.width * zoom, area.width)
  const y = shift(viewport.y + target.y * zoom, target.height * zoom, area.height)
  return x === 0 && y === 0 ? viewport : { x: viewport.x + x, y: viewport.y + y, zoom }
}

function shift(at: number, length: number, size: number): number {
  if (at < 0) return room - at
  if (at + length > size) return size - room - (at + length)
  return 0
}

const nodeTypes = { summary: SummaryNode }

interface SummaryGraphProps extends Omit<GraphState, 'active'> {
  readonly index: SummaryIndex
  readonly height: number
}

/** Arrow keys walk, Enter opens the text, Space the children; the mouse pans and zooms. */
export function SummaryGraph(props: SummaryGraphProps) {
  return (
    <ReactFlowProvider>
      <Graph {...props} />
    </ReactFlowProvider>
  )
}

function Graph({ index, height, selected, open, hits, onSelect, onToggle }: SummaryGraphProps) {
  const flow = useReactFlow()
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(selected)
  const layout = useMemo(() => layoutSummaries(index, open), [index, open])
  const { nodes, edges } = useMemo(() => toFlow(layout), [layout])
  const state = useMemo(
    () => ({ selected, active, open, hits, onSelect, onToggle }),
    [selected, active, open, hits, onSelect, onToggle],
  )
  useEffect(() => setActive(selected), [selected])
  const show = useEffectEvent((id: string) => {
    const target = layout.nodes.find(({ node }) => node.id === id)
    const area = box.current?.getBoundingClientRect()
    if (target === undefined || area === undefined) return
    const viewport = flow.getViewport()
    const moved = bringIntoSight(viewport, { ...target, ...nodeSize }, area)
    if (moved !== viewport) void flow.setViewport(moved)
  })
  useEffect(() => {
    if (active !== null) show(active)
  }, [active])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    if (isArrow(event.key)) {
      const isClosed = active !== null && !open.has(active) && index.byId.get(active)?.children.length
      if (event.key === 'ArrowRight' && active !== null && isClosed) onToggle(active)
      setActive((from) => stepInGraph(layout, index, from, event.key as ArrowKey) ?? from)
    } else if (event.key === 'Enter' && active !== null) onSelect(active)
    else if (event.key === ' ' && active !== null) onToggle(active)
    else return
    event.preventDefault()
  }
  return (
    <GraphContext value={state}>
      <div
        ref={box}
        className={classes.graph}
        style={{ height }}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the one stop of the keyboard for all of its nodes
        tabIndex={0}
        aria-label="Graph of the summaries. Arrow keys walk, Enter shows the text, Space opens what is below."
        aria-activedescendant={active === null ? undefined : elementIdOf(active)}
        onKeyDown={onKeyDown}
      >
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          onlyRenderVisibleElements
          panOnScroll
          zoomOnDoubleClick={false}
          minZoom={0.1}
          maxZoom={1.5}
          defaultViewport={{ x: 8, y: 8, zoom: 0.9 }}
          onInit={() => active !== null && show(active)}
        >
          <Controls showInteractive={false} position="top-right" />
        </ReactFlow>
      </div>
    </GraphContext>
  )
}

function isArrow(key: string): key is ArrowKey {
  return key === 'ArrowUp' || key === 'ArrowDown' || key === 'ArrowLeft' || key === 'ArrowRight'
}

function toFlow(layout: ReturnType<typeof layoutSummaries>): {
  readonly nodes: SummaryFlowNode[]
  readonly edges: Edge[]
} {
  return {
    nodes: layout.nodes.map(({ node, x, y }) => ({
      id: node.id,
      type: 'summary',
      position: { x, y },
      data: { node },
      ...nodeSize,
    })),
    edges: layout.edges.map(({ parent, child }) => ({
      id: `${parent}→${child}`,
      source: parent,
      target: child,
    })),
  }
}

type ArrowKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

/** Right leads to the first child, left to a parent, up and down to the neighbour in the column. Undefined at an end. */
function stepInGraph(
  layout: SummaryLayout,
  index: SummaryIndex,
  from: string | null,
  key: ArrowKey,
): string | undefined {
  const start = layout.nodes.find(({ node }) => node.id === from)
  if (start === undefined) return layout.nodes[0]?.node.id
  const isThere = (id: string) => layout.nodes.some(({ node }) => node.id === id)
  if (key === 'ArrowRight') return start.node.children.find(isThere)
  if (key === 'ArrowLeft') return index.parentsOf(start.node).find(({ id }) => isThere(id))?.id
  const column = layout.nodes
    .filter(({ x }) => Math.abs(x - start.x) < 1)
    .sort((a: PlacedSummary, b: PlacedSummary) => a.y - b.y)
  return column[column.indexOf(start) + (key === 'ArrowUp' ? -1 : 1)]?.node.id
}

interface GraphState {
  readonly selected: string | null
  readonly active: string | null
  readonly open: ReadonlySet<string>
  readonly hits: ReadonlyMap<string, number> | null
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

const GraphContext = createContext<GraphState | null>(null)

type SummaryFlowNode = Node<{ readonly node: ViewSummaryNode }, 'summary'>

function elementIdOf(id: string): string {
  return `summary-${encodeURIComponent(id)}`
}

function SummaryNode({ data: { node } }: NodeProps<SummaryFlowNode>) {
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
