interface TooltipLine {
  readonly color?: string
  readonly name: string
  readonly value: string
}

/** The content of a tooltip as elements: what stands in a session is never read as HTML. */
export function tooltipTable(title: string, lines: readonly TooltipLine[], notes: readonly string[] = []) {
  const root = document.createElement('div')
  root.className = 'chart-tooltip'
  root.append(element('strong', title))
  const table = document.createElement('dl')
  for (const { color, name, value } of lines) {
    const label = element('dt', name)
    if (color) {
      const dot = document.createElement('i')
      dot.style.background = color
      label.prepend(dot)
    }
    table.append(label, element('dd', value))
  }
  root.append(table, ...notes.map((note) => element('p', note)))
  return root
}

function element(name: 'strong' | 'dt' | 'dd' | 'p', text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
