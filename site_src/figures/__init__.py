"""Figures: a FigureSpec in, SVG and raster bytes out. Only this package imports matplotlib."""
