// Drawings as files.

const kPngScale = 2;

export function svgBlob(svg: SVGElement | string): Blob {
  const text = typeof svg === 'string' ? svg : new XMLSerializer().serializeToString(svg);
  return new Blob([text], { type: 'image/svg+xml' });
}

// The same in pixels, at twice the size; null if the browser refuses.
export async function pngBlob(svg: SVGElement | string): Promise<Blob | null> {
  const url = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * kPngScale;
    canvas.height = image.naturalHeight * kPngScale;
    const context = canvas.getContext('2d');
    if (context === null) return null;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, 'image/png'));
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}
