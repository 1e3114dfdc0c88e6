/** Formulas: in Unicode if all of their TeX is understood, else as written. Their TeX is no Markdown. */

import { expect, test } from 'vitest'
import { lines, render } from '../../helpers/markdown.ts'

/** From QwenLM/Qwen2.5-Math (evaluation/data), d2l-ai/d2l-en and OI-wiki/OI-wiki, and what they become. */
const converted: readonly [source: string, shown: string][] = [
  [String.raw`\[ x = \frac{10\sqrt{2} \pm \sqrt{200 - 200}}{2}, \]`, 'x = (10√2 ± √(200 - 200))/2,'],
  [String.raw`\[ \left(\frac{2}{3}\right)^4 = \frac{2^4}{3^4} = \frac{16}{81}. \]`, '(2/3)⁴ = 2⁴/3⁴ = 16/81.'],
  [String.raw`\(6 \left( -\frac{2}{3}(x-5) \right) = -4(x-5)\)`, '6 ( -(2/3)(x-5) ) = -4(x-5)'],
  [String.raw`\[    \frac{1}{31} \div \frac{1}{93} = \frac{1}{31} \times 93    \]`, '(1/31) ÷ (1/93) = 1/31 × 93'],
  [String.raw`\(\left\{\frac{3}{7}, \frac{4}{3}, \frac{11}{8}\right\}\)`, '{3/7, 4/3, 11/8}'],
  [String.raw`\( \angle DBC = 40^\circ \)`, '∠ DBC = 40°'],
  [String.raw`\[ \text{Time} = \frac{\text{Distance}}{\text{Rate}} \]`, 'Time = Distance/Rate'],
  [String.raw`\[ A_{\text{small}} = \pi \times 12^2 = 144\pi \]`, 'Aₛₘₐₗₗ = π × 12² = 144π'],
  [String.raw`\[ 0.5 \text{ cm} \times 10^{-6} \]`, '0.5 cm × 10⁻⁶'],
  [String.raw`$$49{,}994 \div 7=\boxed{7142}$$`, '49,994 ÷ 7=7142'],
  [String.raw`$1.7 \times 10^{14} \mathrm{~s}^{-1}$`, '1.7 × 10¹⁴ s⁻¹'],
  [String.raw`$\ddot{x}+b \dot{x}+x=0$`, 'ẍ+b ẋ+x=0'],
  [String.raw`$x(t)=A e^{-a t} \cos (\omega t)$`, 'x(t)=A e⁻ᵃᵗ cos (ωt)'],
  [String.raw`$Y(s)=\frac{1}{(s+a)(s+b)}=\frac{C}{s+a}$`, 'Y(s)=1/((s+a)(s+b))=C/(s+a)'],
  [String.raw`$\frac{e^{-2 t}}{p(-2)}=\frac{e^{-2 t}}{15}$`, 'e⁻²ᵗ/(p(-2))=e⁻²ᵗ/15'],
  [String.raw`$R \dot{I}+\frac{1}{C} I=0$`, 'R İ+(1/C) I=0'],
  [String.raw`$a_{n}=a_{n-1}^{2}-a_{n-2}^{2}$`, 'aₙ=aₙ₋₁²-aₙ₋₂²'],
  [String.raw`$\sum_{i=1}^{m} k_{i}$`, '∑ᵢ₌₁ᵐ kᵢ'],
  [String.raw`$d=\min \{x \in \mathbb{N}: p \mid f(x)\}$`, 'd=min {x ∈ ℕ: p ∣ f(x)}'],
  [String.raw`$|r-s|=\sqrt{r^{2}-2 r s+s^{2}}$`, '|r-s|=√(r²-2 r s+s²)'],
  [String.raw`$f(x)=\left\lfloor\frac{x}{3}\right\rfloor+\lceil 3 x\rceil$`, 'f(x)=⌊(x/3)⌋+⌈3 x⌉'],
  [String.raw`$a^{2} \equiv 0,1(\bmod 8)$`, 'a² ≡ 0,1(mod 8)'],
  [String.raw`$e^{n(a+b i)}=(1+\sqrt{3} i)^{n}$`, 'eⁿ⁽ᵃ⁺ᵇⁱ⁾=(1+√(3) i)ⁿ'],
  [String.raw`$\langle v_i, v_j \rangle$`, '⟨vᵢ, vⱼ ⟩'],
  [String.raw`$O(n \log n)$`, 'O(n log n)'],
  [String.raw`$n_\textrm{in} \sigma^2 = 1$`, 'nᵢₙ σ² = 1'],
  [String.raw`$(2j + 1)^\textrm{th}$`, '(2j + 1)ᵗʰ'],
  [String.raw`$C_{\min} \setminus \{(t, k)\}$`, 'Cₘᵢₙ ∖ {(t, k)}'],
  [String.raw`$v\gets\operatorname{top}(v)$`, 'v←top(v)'],
  [String.raw`$\operatorname{epi}f$ $n!\bmod p$ $\tan\varphi$`, 'epi f n! mod p tan φ'],
  [String.raw`$\lfloor\log_2(r-l+1)\rfloor$`, '⌊log₂(r-l+1)⌋'],
  [String.raw`$\mathcal{I} \subseteq \overrightarrow{a}$`, 'ℐ ⊆ a⃗'],
  [String.raw`$x\sin y$ \(x^y\) $2^{n+1}$`, 'x sin y xʸ 2ⁿ⁺¹'],
  [String.raw`**$x^{10}$**, *$\|x\|_2$*, **\(2^n\)**: "$y_1$"; ($z^2$)`, 'x¹⁰, ‖x‖₂, 2ⁿ: "y₁"; (z²)'],
]

/** Formulas with what Unicode lacks or a line of text leaves ambiguous, and what is no formula. */
const kept: readonly string[] = [
  String.raw`\( V^V \) $x^{1.5}$ $e^{-x^2}$ $x_{q}$ $\lim_{x \to 0} x$`,
  String.raw`$e^{\ln x}$ $\dddot x$ $n\_x = 3$ $\operatorname{opt}_\textit{mid}(r)$`,
  String.raw`$\left. x \right|_0^1$ $a\not= b$ $\overline{AB}$ $\infinite x$ $\foo_1$`,
  String.raw`\(3\frac{4}{5}\) \(1 \frac{1}{4}\) $n\frac{a}{b}$ $\frac{25}{\frac{40}{a}}$ $2\boxed{3}$`,
  String.raw`$x^10$ $x_max$ $2^3^4$ $x^{2}^{3}$ $\sqrt 2x$ $x^-1$ $50%_1$`,
  String.raw`$\mathcal{O}(n^2)$ $\begin{pmatrix} 1 & x^2 \\ 0 & 1 \end{pmatrix}$`,
  String.raw`sed 's/\(a_1\)-\(b_1\)/\2-\1/' and \(foo\) and s/.*\(b_1\)/\1/ and \(^a\) and \(a_1\|b_1\)`,
  String.raw`grep '\([^a]*\)' b`,
  String.raw`grep '\(c_1\)*' b`,
  String.raw`It costs $5 and $6, or $5_000 and $6^2`,
  String.raw`$HOME_DIR $a_1/$b_1 $a_1:$(pwd) $user_id$ US$x_1$ C:\alpha\beta \w+_\d`,
  String.raw`$a*b*c$ and $x$`,
  String.raw`$\$_a_$ \(\\(_b_\\)\)`,
]

test.each(converted)('%s', async (source, shown) => {
  expect(await lines(source, { columns: 400 })).toEqual([shown])
  expect(await lines(`a ${source}, b`, { columns: 400 })).toEqual([`a ${shown}, b`])
  expect(
    (await lines(`# ${source}\n|a|\n|-|\n|${source.replaceAll('|', '\\|')}|`, { columns: 400 })).join('\n'),
  ).toContain(shown)
})

test.each(kept)('as written: %s', async (source) => {
  expect(await lines(source, { columns: 400 })).toEqual([source])
})

test.each([...converted.map(([source]) => source), ...kept])('in any pieces: %s', async (source) => {
  for (const text of [source, `${source} b`, source.replace(/^(\$\$|\\\[)(.*)(\$\$|\\\])$/, '$1\n$2\n$3\nb')])
    expect(await render(text.split(''))).toBe(await render(text))
})

test('scripts in scripts that are unknown take no exponential time', async () => {
  const source = `$${'x^{'.repeat(300)}x${'}'.repeat(300)}$`
  expect(await lines(source, { columns: 400 })).toEqual([source])
})

test('what a formula becomes is wrapped', async () => {
  expect(await lines(String.raw`$$\alpha + \beta + \gamma + \delta$$`, { columns: 7 })).toEqual(['α + β +', 'γ + δ'])
})

test.each<[title: string, markdown: string, shown?: string]>([
  ['not a price', '$5 and *b* $10, $ *c* $', '$5 and b $10, $ c $'],
  ['not containing code', 'It costs $5; use `$HOME` in **sh** and *sh*.', 'It costs $5; use $HOME in sh and sh.'],
  ['not containing strong marks', 'It is **$a, and b** or c$', 'It is $a, and b or c$'],
])('%s', async (_title, markdown, shown = markdown) => {
  expect((await lines(markdown, { columns: 400 })).join('\n')).toBe(shown)
})

test.each<[title: string, markdown: string, shown?: string]>([
  ['in Unicode', 'a\n\\[\nx^2\n  = y_1\n\\]\nb', 'a\nx² = y₁\nb'],
  ['in Unicode in a list and a quote', '- $$\n  x^2\n  $$\n  b\n> \\[ x_1 =\n> y \\] c', '• x²\n  b\n│ x₁ = y c'],
  ['not without an end', '\\[\nx^2\n  = y', '\\[\nx^2\n  = y'],
  ['with rows', '$$\n\\begin{aligned}\nx^2 &= 1 \\\\\n  y_1\n\\end{aligned}\n$$'],
  ['with what is unknown', '\\[\n  x^2 +\n\\foo\n\\] b'],
  ['lines that look like blocks', '$$\n- a_1 * b *\n# c\n> d\n|e|\n1. f\n    g\n```\n===\n$$'],
  ['lines that may be table headers', '|$$\n| *a* |\nb\n$$'],
  ['between text', 'a \\[\n  b = *c*\n\\], *d*', 'a \\[\n  b = *c*\n\\], d'],
  [
    'in a list and a quote',
    '- a\n  $$\n  - b\n  $$\n> \\[\n> - c\n> \\]',
    '• a\n  $$\n  - b\n  $$\n│ \\[\n│ - c\n│ \\]',
  ],
  ['up to a blank line', '$$ a =\n- *b*\n\n- *c*', '$$ a =\n- *b*\n\n• c'],
  ['not before text', '- \\[ ] a **b**\n- \\[x] c_d **e**\n- \\[[f](g)] h\\*', '• [ ] a b\n• [x] c_d e\n• [f (g)] h*'],
])('of several lines %s', async (_title, markdown, shown = markdown) => {
  expect((await lines(markdown, { columns: 30 })).join('\n')).toBe(shown)
})
