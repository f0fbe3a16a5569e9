def boil(): pass
