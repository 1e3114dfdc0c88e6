/** The languages of highlighted code, each loaded when it is first used. */

import type { LanguageFn } from 'highlight.js'

/** By name; with other names that are used after a fence, separated by spaces. */
export const languages: Readonly<Record<string, { load(): Promise<{ default: LanguageFn }>; aliases?: string }>> = {
  bash: { load: () => import('highlight.js/lib/languages/bash'), aliases: 'sh zsh fish ksh' },
  c: { load: () => import('highlight.js/lib/languages/c'), aliases: 'h' },
  cpp: { load: () => import('highlight.js/lib/languages/cpp'), aliases: 'c++ cc cxx hpp arduino' },
  csharp: { load: () => import('highlight.js/lib/languages/csharp'), aliases: 'c# cs' },
  css: { load: () => import('highlight.js/lib/languages/css') },
  dart: { load: () => import('highlight.js/lib/languages/dart') },
  diff: { load: () => import('highlight.js/lib/languages/diff'), aliases: 'patch' },
  dockerfile: { load: () => import('highlight.js/lib/languages/dockerfile'), aliases: 'docker containerfile' },
  elixir: { load: () => import('highlight.js/lib/languages/elixir'), aliases: 'ex exs' },
  go: { load: () => import('highlight.js/lib/languages/go'), aliases: 'golang' },
  graphql: { load: () => import('highlight.js/lib/languages/graphql'), aliases: 'gql' },
  haskell: { load: () => import('highlight.js/lib/languages/haskell'), aliases: 'hs' },
  http: { load: () => import('highlight.js/lib/languages/http') },
  ini: { load: () => import('highlight.js/lib/languages/ini'), aliases: 'toml cfg conf editorconfig' },
  java: { load: () => import('highlight.js/lib/languages/java') },
  javascript: { load: () => import('highlight.js/lib/languages/javascript'), aliases: 'js jsx mjs cjs node' },
  json: { load: () => import('highlight.js/lib/languages/json'), aliases: 'jsonc json5 jsonl' },
  kotlin: { load: () => import('highlight.js/lib/languages/kotlin'), aliases: 'kt kts' },
  latex: { load: () => import('highlight.js/lib/languages/latex'), aliases: 'tex' },
  lua: { load: () => import('highlight.js/lib/languages/lua') },
  makefile: { load: () => import('highlight.js/lib/languages/makefile'), aliases: 'make mk' },
  markdown: { load: () => import('highlight.js/lib/languages/markdown'), aliases: 'md mdx' },
  perl: { load: () => import('highlight.js/lib/languages/perl'), aliases: 'pl' },
  php: { load: () => import('highlight.js/lib/languages/php') },
  powershell: { load: () => import('highlight.js/lib/languages/powershell'), aliases: 'ps1 pwsh ps' },
  protobuf: { load: () => import('highlight.js/lib/languages/protobuf'), aliases: 'proto' },
  python: { load: () => import('highlight.js/lib/languages/python'), aliases: 'py python3 py3' },
  r: { load: () => import('highlight.js/lib/languages/r') },
  ruby: { load: () => import('highlight.js/lib/languages/ruby'), aliases: 'rb' },
  rust: { load: () => import('highlight.js/lib/languages/rust'), aliases: 'rs' },
  scala: { load: () => import('highlight.js/lib/languages/scala') },
  scss: { load: () => import('highlight.js/lib/languages/scss'), aliases: 'sass less' },
  shell: { load: () => import('highlight.js/lib/languages/shell'), aliases: 'console shellsession terminal' },
  sql: { load: () => import('highlight.js/lib/languages/sql'), aliases: 'mysql postgresql postgres sqlite' },
  swift: { load: () => import('highlight.js/lib/languages/swift') },
  typescript: { load: () => import('highlight.js/lib/languages/typescript'), aliases: 'ts tsx mts cts' },
  vim: { load: () => import('highlight.js/lib/languages/vim'), aliases: 'viml' },
  wasm: { load: () => import('highlight.js/lib/languages/wasm'), aliases: 'wat' },
  x86asm: { load: () => import('highlight.js/lib/languages/x86asm'), aliases: 'asm nasm' },
  xml: { load: () => import('highlight.js/lib/languages/xml'), aliases: 'html xhtml svg vue svelte plist xsd' },
  yaml: { load: () => import('highlight.js/lib/languages/yaml'), aliases: 'yml' },
}

/** Languages that are embedded in others. */
export const embedded: Readonly<Record<string, readonly string[]>> = {
  dockerfile: ['bash'],
  markdown: ['xml'],
  shell: ['bash'],
  xml: ['css', 'javascript'],
}

/** @param info The info string of a fence, such as `ts`, `{.python .numberLines}` or `js title=a.js`. */
export function languageOf(info: string): string | undefined {
  const name = /[\w+#-]+/.exec(info)?.[0].toLowerCase()
  if (name === undefined) return undefined
  if (Object.hasOwn(languages, name)) return name
  return Object.keys(languages).find((key) => languages[key]?.aliases?.split(' ').includes(name))
}
