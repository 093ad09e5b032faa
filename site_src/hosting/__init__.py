"""A published site → what a web server or a store of files needs to serve it as it is meant."""
