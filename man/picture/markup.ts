/** The SVG elements that the picture needs. */

type Attributes = Readonly<Record<string, string | number | undefined>>

/** An element; attributes without a value are left out. */
export function element(name: string, attributes: Attributes, text?: string): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(String(value))}"`],
  )
  const start = `<${name}${given.join('')}`
  return text === undefined ? `${start}/>` : `${start}>${escaped(text)}</${name}>`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character)
}
