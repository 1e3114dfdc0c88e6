/** The picture without the times in it, which differ from run to run. Everything else depends on the program alone. */
export function withoutTimes(picture: string): string {
  return picture
    .split('\n')
    .map((line) => {
      const timeless = line.replaceAll(/[\d.]+ (?:s|tokens\/s)(?!\w)/g, '…')
      // A time of one digit more makes its line longer.
      return timeless === line ? line : timeless.replaceAll(/ textLength="[\d.]+"/g, '')
    })
    .join('\n')
}
