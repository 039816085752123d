import { useElementSize } from '@mantine/hooks'
import type { MouseEvent } from 'react'
import { formatCount, formatShort } from '../format.ts'
import classes from './ui.module.css'

export interface ChartSeries {
  readonly name: string
  readonly color?: string
  readonly values: readonly number[]
}

export interface ChartLimit {
  readonly label: string
  readonly at: number
}

interface TokenChartProps {
  readonly columns: number
  readonly areas?: readonly ChartSeries[]
  readonly lines?: readonly ChartSeries[]
  readonly limits?: readonly ChartLimit[]
  readonly marks?: readonly number[]
  readonly height: number
  readonly selected: number
  readonly onPick: (column: number) => void
}

const ROOM = { left: 44, right: 8, top: 18, bottom: 20 }

/**
 * Tokens over requests. Hidden from screen readers, which get the numbers as text, and only for the mouse: the picker
 * beside it has the keyboard.
 */
export function TokenChart(props: TokenChartProps) {
  const { columns, areas = [], lines = [], limits = [], marks = [], height, selected, onPick } = props
  const { ref, width } = useElementSize<HTMLDivElement>()
  const stacks = stackUp(areas, columns)
  const top =
    1.05 *
    Math.max(
      1,
      largest(stacks.at(-1)),
      ...lines.map(({ values }) => largest(values)),
      ...limits.map(({ at }) => at),
    )
  const inner = {
    width: Math.max(1, width - ROOM.left - ROOM.right),
    height: height - ROOM.top - ROOM.bottom,
  }
  const step = inner.width / Math.max(1, columns)
  const x = (column: number) => ROOM.left + column * step
  const y = (value: number) => ROOM.top + inner.height * (1 - value / top)
  const pick = (event: MouseEvent<Element>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    const column = Math.floor((event.clientX - left - ROOM.left) / step)
    if (column >= 0 && column < columns) onPick(column)
  }
  return (
    <div ref={ref} className={classes.chart} style={{ height }} aria-hidden="true" onClick={pick}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          {ticks(top, inner.height / 45).map((value) => (
            <g key={value}>
              <line
                className={classes.chartLine}
                x1={ROOM.left}
                x2={width - ROOM.right}
                y1={y(value)}
                y2={y(value)}
              />
              <text x={ROOM.left - 6} y={y(value) + 4} textAnchor="end">
                {formatShort(value)}
              </text>
            </g>
          ))}
          {ticks(columns, inner.width / 70).map(
            (column) =>
              Number.isInteger(column) && (
                <text key={column} x={x(Math.max(0, column - 1) + 0.5)} y={height - 5} textAnchor="middle">
                  {formatCount(Math.max(1, column))}
                </text>
              ),
          )}
          {areas.map(({ name, color }, place) => (
            <path
              key={name}
              d={`${stepLine(stacks[place + 1] ?? [], x, y)}${stepBack(stacks[place] ?? [], x, y)}Z`}
              style={{ fill: color }}
            />
          ))}
          {limits.map(({ label, at }) => (
            <g key={label}>
              <line
                className={classes.chartLimit}
                x1={ROOM.left}
                x2={width - ROOM.right}
                y1={y(at)}
                y2={y(at)}
              />
              <text x={ROOM.left + 4} y={y(at) - 4}>
                {label}
              </text>
            </g>
          ))}
          {lines.map(({ name, color, values }) => (
            <path
              key={name}
              className={classes.chartSeries}
              d={stepLine(values, x, y)}
              style={color ? { stroke: color } : { strokeDasharray: '5 4' }}
            />
          ))}
          {marks.map((column, place) => (
            <path key={place} d={`M${x(column + 0.5) - 4} 6h8l-4 7z`} />
          ))}
          <line
            className={classes.chartSelected}
            x1={x(selected + 0.5)}
            x2={x(selected + 0.5)}
            y1={ROOM.top}
            y2={height - ROOM.bottom}
          />
        </svg>
      )}
    </div>
  )
}

type Scale = (value: number) => number

const largest = (values: readonly number[] = []): number =>
  values.reduce((most, value) => Math.max(most, value), 0)

function stackUp(areas: readonly ChartSeries[], columns: number): readonly (readonly number[])[] {
  const stacks: number[][] = [new Array<number>(columns).fill(0)]
  for (const { values } of areas)
    stacks.push((stacks.at(-1) ?? []).map((sum, column) => sum + (values[column] ?? 0)))
  return stacks
}

const stepLine = (values: readonly number[], x: Scale, y: Scale): string =>
  values
    .map(
      (value, column) =>
        `${column === 0 ? `M${x(0)} ` : ''}${column === 0 ? y(value) : `V${y(value)}`}H${x(column + 1)}`,
    )
    .join('')

const stepBack = (values: readonly number[], x: Scale, y: Scale): string =>
  values
    .map((value, column) => `L${x(column + 1)} ${y(value)}H${x(column)}`)
    .reverse()
    .join('')

function ticks(top: number, count: number): readonly number[] {
  const rough = top / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough))
  const size = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough
  return Array.from({ length: Math.floor(top / size) + 1 }, (_, place) => place * size)
}
